import type { Correlation } from '../../capture/correlate/correlate.ts';
import { headerValue } from '../../capture/correlate/http-record.ts';
import type { Item } from '../../capture/correlate/items.ts';
import type { Era } from '../../capture/wire-event.ts';
import { eraOf } from '../../protocol/revisions.ts';

/** In which era something was said, as far as the log tells. */
export interface MessageEra {
  era: Era;
  /** Absent where it had not been agreed upon. */
  revision?: string;
}

/** Methods that exist in one era only, and are used before anything is agreed. */
const FIRST_WORDS: Record<string, Era> = { 'server/discover': 'modern', initialize: 'legacy' };

/** The era of an item: by the header of its request, by what it is about, or by its connection. */
export function messageEraOf(
  item: Item,
  { https, connections }: Pick<Correlation, 'https' | 'connections'>,
): MessageEra | undefined {
  if (item.kind === 'lifecycle') return undefined;
  const record = item.httpId === undefined ? undefined : https.get(item.httpId);
  const named = headerValue(record?.request.headers, 'mcp-protocol-version');
  const era = named === undefined ? undefined : eraOf(named);
  if (named !== undefined && era !== undefined) return { era, revision: named };
  const method = 'method' in item ? item.method : undefined;
  const first = method === undefined ? undefined : FIRST_WORDS[method];
  if (first !== undefined) return { era: first };
  const connection =
    item.connectionId === undefined ? undefined : connections.get(item.connectionId);
  if (connection?.era === undefined) return undefined;
  const { revision } = connection;
  return { era: connection.era, ...(revision === undefined ? {} : { revision }) };
}

/** An era in the few letters of a badge. */
export function toEraBadge({ era, revision }: MessageEra): string {
  return revision ?? era;
}
