import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import { isMessageHeld, recordedText } from '../../capture/correlate/socket-record.ts';
import { decodeHeaderValue } from '../../protocol/header-value.ts';
import { mirrorArguments, paramHeadersOf } from '../../protocol/param-headers.ts';
import { isRecord } from '../../record.ts';
import { indexFromSequence } from '../view/by-sequence.ts';
import { messageSize } from './read-text.ts';

type Source = Pick<Correlation, 'https' | 'sockets' | 'items'>;

/** What a header `Mcp-Param-…` should say; `value` is absent where its argument is. */
export type ParamValue =
  | { kind: 'known'; argument: string; value: string | undefined }
  | { kind: 'unknown'; reason: string };

/** Lists of tools larger than this are not read for it. Bytes. */
const LIST_LIMIT = 2_000_000;
/** So many rows back a list is looked for. */
const LOOK_BACK = 20_000;

/** Finds what a mirrored header of a call stands for, by the schema that the server gave of the tool. */
export function paramValue(
  header: string,
  params: Record<string, unknown>,
  record: HttpRecord,
  source: Source,
): ParamValue {
  const schema = inputSchemaOf(params['name'], record, source);
  if (schema === undefined) {
    return { kind: 'unknown', reason: 'no recorded tools/list tells which argument it mirrors' };
  }
  const declared = paramHeadersOf(schema);
  if (!declared.ok) return { kind: 'unknown', reason: `the tool is invalid: ${declared.reason}` };
  const found = declared.headers.find(({ name }) => name.toLowerCase() === header);
  if (found === undefined) {
    return { kind: 'unknown', reason: 'mirrors no argument of this tool' };
  }
  const [mirrored] = mirrorArguments([found], params['arguments']);
  const value = mirrored === undefined ? undefined : decodeHeaderValue(mirrored.value);
  return { kind: 'known', argument: found.path.join('.'), value };
}

/** The schema of a tool in the newest list before a request. */
function inputSchemaOf(tool: unknown, record: HttpRecord, source: Source): unknown {
  const { items } = source;
  const end = indexFromSequence(items, record.request.sequence);
  for (let index = end - 1; index >= Math.max(end - LOOK_BACK, 0); index -= 1) {
    const item = items[index];
    if (item === undefined || item.connectionId !== record.connectionId) continue;
    const found = toolsOf(item, source).find((each) => isRecord(each) && each['name'] === tool);
    if (isRecord(found)) return found['inputSchema'];
  }
  return undefined;
}

function toolsOf(item: Item, source: Source): unknown[] {
  if (item.kind !== 'request' || item.method !== 'tools/list' || !item.response) return [];
  if (item.outcome !== 'result' || !isMessageHeld(source, item.response)) return [];
  if (messageSize(source, item.response) > LIST_LIMIT) return [];
  try {
    const value: unknown = JSON.parse(recordedText(source, item.response) ?? '');
    const result = isRecord(value) ? value['result'] : undefined;
    const tools = isRecord(result) ? result['tools'] : undefined;
    return Array.isArray(tools) ? tools : [];
  } catch {
    return [];
  }
}
