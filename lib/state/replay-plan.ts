import type { Item } from '../capture/items.ts';
import { recordedText, type MessageRecords } from '../capture/socket-record.ts';
import { member, parseJson, sourceText } from '../json/parse.ts';
import type { JsonNode } from '../json/parse.ts';
import type { ConnectionSummary } from '../port/contract.ts';
import { canSend } from './connection-words.ts';

/** What sending an item again would do, or why it cannot be done. */
export type ReplayPlan =
  | {
      kind: 'ready';
      connectionId: string;
      method: string;
      /** Source text of the params, to the letter. */
      paramsText: string | undefined;
      /** Absent where it only follows from another request. */
      replayOf?: number;
      /** Calls of tools may change things: they ask first, naming the tool. */
      asksFor?: { tool: string; argumentsText: string };
    }
  | { kind: 'refused'; reason: string };

export interface ReplaySource extends MessageRecords {
  connections: ReadonlyMap<string, { url: string }>;
}

function refuse(reason: string): ReplayPlan {
  return { kind: 'refused', reason };
}

/** Plans the replay of an item on its own connection, or on another live one to the same URL. */
export function planReplay(
  item: Item | undefined,
  source: ReplaySource,
  live: readonly ConnectionSummary[],
): ReplayPlan {
  if (item === undefined) return refuse('Select a request to replay.');
  if (item.kind !== 'request' || item.direction !== 'outgoing') {
    return refuse('Only outgoing requests can be replayed.');
  }
  const text = recordedText(source, item.message);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (text === undefined || parsed?.ok !== true || parsed.root.kind !== 'object') {
    return refuse('The recorded request is not a single JSON object, so it cannot be replayed.');
  }
  const connectionId = findConnection(item.connectionId, source, live);
  if (connectionId === undefined) {
    const url = source.connections.get(item.connectionId ?? '')?.url ?? 'its server';
    return refuse(`No live connection to ${url}. Connect to it, then replay.`);
  }
  const params = member(parsed.root, 'params');
  return {
    kind: 'ready',
    connectionId,
    method: item.method,
    paramsText: params && sourceText(text, params),
    replayOf: item.sequence,
    ...(item.method === 'tools/call'
      ? { asksFor: { tool: item.target ?? '', argumentsText: argumentsText(text, params) } }
      : {}),
  };
}

/** Arguments of a tool call as they stand in the params; empty where there are none. */
function argumentsText(text: string, params: JsonNode | undefined): string {
  const given = member(params, 'arguments');
  return given === undefined ? '' : sourceText(text, given);
}

function findConnection(
  connectionId: string | undefined,
  source: ReplaySource,
  live: readonly ConnectionSummary[],
): string | undefined {
  const connected = live.filter(canSend);
  const same = connected.find((connection) => connection.connectionId === connectionId);
  if (same !== undefined) return same.connectionId;
  const url = source.connections.get(connectionId ?? '')?.url;
  return connected.findLast((connection) => connection.url === url)?.connectionId;
}
