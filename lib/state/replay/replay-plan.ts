import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item } from '../../capture/correlate/items.ts';
import { recordedText, type MessageRecords } from '../../capture/correlate/socket-record.ts';
import { member, parseJson, sourceText } from '../../json/parse.ts';
import type { JsonNode } from '../../json/parse.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import { withoutEnvelope } from '../../protocol/envelope.ts';
import { recordedCuts } from '../detail/body-cuts.ts';
import { canSend } from '../connect/connection-state.ts';
import { toMarked } from './replay-marks.ts';
import { isKnownReadOnly } from './replay-read-only.ts';

/** What sending an item again would do, or why it cannot be done. */
export type ReplayPlan =
  | {
      kind: 'ready';
      connectionId: string;
      method: string;
      /** Source text of the params, to the letter, with marks in the place of secrets. */
      paramsText: string | undefined;
      /** Absent where it only follows from another request. */
      replayOf?: number;
      /** Calls of tools may change things: they ask first, naming the tool. */
      asksFor?: Asked;
    }
  | { kind: 'refused'; reason: string };

/** A call of a tool that is not known to be read-only. */
export interface Asked {
  tool: string;
  argumentsText: string;
}

export interface ReplaySource extends MessageRecords, Pick<Correlation, 'items'> {
  connections: ReadonlyMap<string, { url: string }>;
}

function refuse(reason: string): ReplayPlan {
  return { kind: 'refused', reason };
}

/**
 * Plans the replay of an item as a new request, on its own connection or on another live one to the same URL. What
 * a modern request says about its sender is left to that connection.
 */
export function planReplay(
  item: Item | undefined,
  source: ReplaySource,
  live: readonly ConnectionSummary[],
): ReplayPlan {
  const plan = planToTheLetter(item, source, live);
  if (plan.kind === 'refused' || plan.paramsText === undefined) return plan;
  return { ...plan, paramsText: withoutEnvelope(plan.paramsText) };
}

/** The same with params as they were, envelope and all. */
export function planToTheLetter(
  item: Item | undefined,
  source: ReplaySource,
  live: readonly ConnectionSummary[],
): ReplayPlan {
  if (item === undefined) return refuse('Select a request to replay.');
  if (item.kind !== 'request' || item.direction !== 'outgoing') {
    return refuse('Only outgoing requests can be replayed.');
  }
  const recorded = recordedText(source, item.message);
  const text = recorded && toMarked(recorded, recordedCuts(source, item.message));
  const parsed = text === undefined ? undefined : parseJson(text);
  if (text === undefined || parsed?.ok !== true || parsed.root.kind !== 'object') {
    return refuse('The recorded request is not a single JSON object. Replay it as it was instead.');
  }
  const url = source.connections.get(item.connectionId ?? '')?.url;
  const connectionId = findConnection(item.connectionId, source, live);
  if (connectionId === undefined) {
    return refuse(`No live connection to ${url ?? 'its server'}. Connect to it, then replay.`);
  }
  const params = member(parsed.root, 'params');
  const asks = item.method === 'tools/call' && !isKnownReadOnly(item.target ?? '', url, source);
  return {
    kind: 'ready',
    connectionId,
    method: item.method,
    paramsText: params && sourceText(text, params),
    replayOf: item.sequence,
    ...(asks
      ? { asksFor: { tool: item.target ?? '', argumentsText: argumentsText(text, params) } }
      : {}),
  };
}

/** Arguments of a tool call as they stand in the params; empty where there are none. */
export function argumentsText(text: string, params: JsonNode | undefined): string {
  const given = member(params, 'arguments');
  return given === undefined ? '' : sourceText(text, given);
}

/** The connection itself while it lives, else the newest live one to the same URL. */
export function findConnection(
  connectionId: string | undefined,
  source: Pick<ReplaySource, 'connections'>,
  live: readonly ConnectionSummary[],
): string | undefined {
  const connected = live.filter(canSend);
  const same = connected.find((connection) => connection.connectionId === connectionId);
  if (same !== undefined) return same.connectionId;
  const url = source.connections.get(connectionId ?? '')?.url;
  return connected.findLast((connection) => connection.url === url)?.connectionId;
}
