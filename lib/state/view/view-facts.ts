import { headerValue } from '../../capture/correlate/http-record.ts';
import type {
  ConnectionRecord,
  Direction,
  HttpRecord,
  Item,
} from '../../capture/correlate/items.ts';
import type { StoredUrl } from '../../capture/store/stored-text.ts';
import type { RowSource } from './rows.ts';

/** The exchange that belongs to the item alone; what came in over that of another has none. */
export function ownRecord(item: Item, { https }: RowSource): HttpRecord | undefined {
  const isOwn =
    item.kind === 'stream' ||
    item.kind === 'http' ||
    ('direction' in item && item.direction === 'outgoing');
  return isOwn && item.httpId !== undefined ? https.get(item.httpId) : undefined;
}

/** Which way it went; undefined where it went none. */
export function directionOf(item: Item): Direction | undefined {
  if ('direction' in item) return item.direction;
  return item.kind === 'http' || item.kind === 'stream' ? 'outgoing' : undefined;
}

/** Media type of the response, without its parameters, or what a message came in instead. */
export function mimeTypeOf(item: Item, source: RowSource): string | undefined {
  const type = headerValue(ownRecord(item, source)?.response?.headers, 'content-type');
  return type?.split(';', 1)[0]?.trim().toLowerCase();
}

/** The address that the item was sent to, or came from. */
export function urlOf(item: Item, { https, sockets }: RowSource): StoredUrl | undefined {
  if (item.socketId !== undefined) return sockets.get(item.socketId)?.opening.url;
  return item.httpId === undefined ? undefined : https.get(item.httpId)?.request.url;
}

/** The connection of an item, as far as the log knows it. */
export function connectionOf(
  item: Item,
  { connections }: Pick<RowSource, 'connections'>,
): ConnectionRecord | undefined {
  return item.connectionId === undefined ? undefined : connections.get(item.connectionId);
}

/** What a connection is called in a column: the name of its server, or where that is. */
export function connectionNameOf(
  item: Item,
  source: Pick<RowSource, 'connections'>,
): string | undefined {
  const connection = connectionOf(item, source);
  if (connection === undefined) return undefined;
  return connection.serverName ?? URL.parse(connection.url)?.host ?? connection.url;
}
