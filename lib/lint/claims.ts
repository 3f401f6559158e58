import { headerValue } from '../capture/correlate/http-record.ts';
import type { Direction } from '../capture/correlate/items.ts';
import type { Header } from '../capture/store/stored-text.ts';
import { NEWEST_LEGACY_REVISION } from '../protocol/revisions.ts';
import { isRecord } from '../record.ts';
import { ALL, LEGACY, V5, type Revision } from './clause.ts';
import { tokenText } from './payload.ts';
import { requestKey, type Carrier, type ConnectionState } from './state.ts';

/** The prefix of the keys that MCP itself defines for `_meta`. */
export const META = 'io.modelcontextprotocol/';
export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

type Members = Record<string, unknown> | undefined;

/** A revision that this tool knows. */
export function knownRevision(value: unknown): Revision | undefined {
  return ALL.find((revision) => revision === value);
}

/** A legacy revision that this tool knows. */
export function legacyRevision(value: unknown): Revision | undefined {
  return LEGACY.find((revision) => revision === value);
}

/** The revision by which a connection is judged: negotiated, else offered, else the newest legacy one. */
export function revisionOf(connection: ConnectionState): Revision {
  return connection.revision ?? connection.offered ?? NEWEST_LEGACY_REVISION;
}

/** The revision by which is judged what comes on a carrier. */
export function revisionIn(connection: ConnectionState, carrier: Carrier): Revision {
  return carrier.revision ?? revisionOf(connection);
}

/** The `_meta` of params or of a result; empty where there is none. */
export function metaOf(holder: unknown): Record<string, unknown> {
  const meta = isRecord(holder) ? holder['_meta'] : undefined;
  return isRecord(meta) ? meta : {};
}

/** Whether a message says itself that it is of the modern era. */
function isModern(members: Members): boolean {
  const method = members?.['method'];
  if (method === 'server/discover' || method === 'subscriptions/listen') return true;
  const meta = metaOf(members?.['params']);
  return `${META}protocolVersion` in meta || `${META}subscriptionId` in meta;
}

/** The revision that a message names itself; `undefined` where it leaves that to what was negotiated. */
function claimOf(connection: ConnectionState, members: Members): Revision | undefined {
  if (isModern(members)) return V5;
  if (members?.['method'] !== 'initialize') return undefined;
  const params = members['params'];
  const offered = legacyRevision(isRecord(params) ? params['protocolVersion'] : undefined);
  return (
    offered ?? legacyRevision(connection.revision) ?? connection.offered ?? NEWEST_LEGACY_REVISION
  );
}

/** The revision that the messages of a POST name, or else its header, where nothing is negotiated. */
export function claimOfPost(
  connection: ConnectionState,
  parts: readonly unknown[],
  headers: readonly Header[],
): Revision | undefined {
  for (const part of parts) {
    const claim = claimOf(connection, isRecord(part) ? part : undefined);
    if (claim !== undefined) return claim;
  }
  const header = headerValue(headers, 'mcp-protocol-version');
  return connection.revision === undefined && header === V5 ? V5 : undefined;
}

/**
 * The revision of a message. On a channel of both eras a notification is known by the request that it is about.
 */
export function revisionOfMessage(
  connection: ConnectionState,
  carrier: Carrier,
  direction: Direction,
  members: Members,
): Revision {
  if (carrier.record !== undefined && direction === 'incoming') {
    return revisionIn(connection, carrier);
  }
  const claim = claimOf(connection, members);
  if (claim !== undefined) return claim;
  const params = members?.['params'];
  const token = isRecord(params) ? tokenText(params['progressToken']) : undefined;
  const asked = direction === 'incoming' ? 'outgoing' : 'incoming';
  const about = token === undefined ? undefined : connection.tokens.get(requestKey(asked, token));
  return about?.revision ?? revisionIn(connection, carrier);
}
