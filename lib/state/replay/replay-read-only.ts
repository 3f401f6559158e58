import type { Correlation } from '../../capture/correlate/correlate.ts';
import { isMessageHeld, recordedText } from '../../capture/correlate/socket-record.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { isRecord } from '../../record.ts';

type Source = Pick<Correlation, 'items' | 'https' | 'sockets'> & {
  connections: ReadonlyMap<string, { url: string }>;
};

/** More lists than this are not looked through for one tool. */
const LISTS = 50;

/**
 * Whether a server has said of a tool that it only reads (2025-03-26 and later, `readOnlyHint`), in the newest list
 * of it that is at hand. Whatever is not known counts as no.
 */
export function isKnownReadOnly(tool: string, url: string | undefined, source: Source): boolean {
  let looked = 0;
  for (let index = source.items.length - 1; index >= 0 && looked < LISTS; index -= 1) {
    const item = source.items[index];
    if (item?.kind !== 'request' || item.method !== 'tools/list') continue;
    if (item.response === undefined || item.direction !== 'outgoing') continue;
    if (source.connections.get(item.connectionId ?? '')?.url !== url) continue;
    looked += 1;
    if (!isMessageHeld(source, item.response)) continue;
    const payload = classifyPayload(recordedText(source, item.response) ?? '');
    const message = payload.kind === 'message' ? payload.message : undefined;
    const found = message?.kind === 'result' ? toolIn(message.result, tool) : undefined;
    if (found !== undefined) return hintOf(found);
  }
  return false;
}

function toolIn(result: unknown, name: string): Record<string, unknown> | undefined {
  const tools = isRecord(result) && Array.isArray(result['tools']) ? result['tools'] : [];
  // A name that is there twice may be either of them.
  const named = tools.filter((tool: unknown) => isRecord(tool) && tool['name'] === name);
  const risky = named.find((tool: unknown) => isRecord(tool) && !hintOf(tool));
  const found: unknown = risky ?? named[0];
  return isRecord(found) ? found : undefined;
}

function hintOf(tool: Record<string, unknown>): boolean {
  const annotations = tool['annotations'];
  return isRecord(annotations) && annotations['readOnlyHint'] === true;
}
