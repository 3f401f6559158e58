import { toLine } from '../text.ts';
import { paramHeadersOf } from '../protocol/param-headers.ts';
import { isModernCode } from '../protocol/probe.ts';
import { isRecord } from '../record.ts';
import { cursorKey } from './detectors/caching.ts';
import { V5 } from './clause.ts';
import type { MessageFact } from './facts.ts';
import { targetOf } from './detectors/rounds.ts';
import { type ConnectionState, type RequestState } from './state.ts';
import { toolsIn } from './listed-tools.ts';

/** More rounds than these are never open at once. */
const ROUNDS = 50;

/** Remembers what a response tells about a modern server, and lets go of the request's params. */
export function trackModernResponse({ connection, request, members }: MessageFact): void {
  if (request === undefined || request.direction === 'incoming') return;
  if (provesModern(connection, request, members ?? {})) connection.isModern = true;
  const result = members?.['result'];
  if (request.revision === V5 && isRecord(result)) trackResult(connection, request, result);
  delete request.params;
}

/** A modern error proves the era, unless a session of the legacy era is open: then it is confusion. */
function provesModern(
  connection: ConnectionState,
  request: RequestState,
  { result, error }: Record<string, unknown>,
): boolean {
  const mayTell = request.revision === V5 || connection.initializeResult === undefined;
  const code = isRecord(error) ? error['code'] : undefined;
  if (isRecord(error)) return mayTell && typeof code === 'number' && isModernCode(code);
  if (request.revision !== V5 || !isRecord(result)) return false;
  return typeof result['resultType'] === 'string' || isDiscovered(result);
}

function isDiscovered({ supportedVersions }: Record<string, unknown>): boolean {
  return Array.isArray(supportedVersions) && supportedVersions.includes(V5);
}

function trackResult(
  connection: ConnectionState,
  request: RequestState,
  result: Record<string, unknown>,
): void {
  const { method, params } = request;
  const { inputRequests, requestState, nextCursor } = result;
  if (method === 'server/discover') {
    connection.discovered = result;
    if (isDiscovered(result)) connection.revision ??= V5;
  }
  if (method === 'tools/list') {
    for (const { name, inputSchema } of toolsIn(result)) {
      if (typeof name === 'string') connection.tools.set(name, paramHeadersOf(inputSchema));
    }
  }
  if (typeof nextCursor === 'string') {
    connection.scopes.set(cursorKey(method, nextCursor), result['cacheScope']);
  }
  if (result['resultType'] !== 'input_required') return;
  request.asked = {
    target: targetOf(method, params),
    ...(isRecord(inputRequests) ? { keys: Object.keys(inputRequests) } : {}),
    ...(requestState === undefined ? {} : { state: toLine(requestState) }),
  };
  connection.rounds.push(request);
  if (connection.rounds.length > ROUNDS) connection.rounds.shift();
}
