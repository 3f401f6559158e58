import type { Item } from '../../capture/correlate/items.ts';
import { findFrame, recordedText } from '../../capture/correlate/socket-record.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { member, parseJson } from '../../json/parse.ts';
import type { StoredBytes } from '../../capture/store/stored-text.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import { decodeUtf8 } from '../../text.ts';
import { frameCuts } from '../detail/body-cuts.ts';
import { ownExchange, toExactRequest, type ExactRequest } from './replay-exact.ts';
import { toMarked } from './replay-marks.ts';
import { argumentsText, findConnection, type Asked, type ReplaySource } from './replay-plan.ts';
import { isKnownReadOnly } from './replay-read-only.ts';

/** What is sent as it was: a whole request, the text of a frame, or the bytes of one. */
export type ExactSending =
  | { kind: 'http'; connectionId?: string; request: ExactRequest }
  | { kind: 'text'; connectionId: string; text: string }
  | { kind: 'binary'; connectionId: string; recorded: StoredBytes };

export type ExactPlan =
  | { kind: 'exact'; sending: ExactSending; replayOf: number; asksFor: Asked[] }
  | { kind: 'refused'; reason: string };

function refuse(reason: string): ExactPlan {
  return { kind: 'refused', reason };
}

/**
 * Plans to send what an item stands for as it was: on its own connection, on another live one to the same server, or
 * with none.
 */
export function planExact(
  item: Item | undefined,
  source: ReplaySource,
  live: readonly ConnectionSummary[],
): ExactPlan {
  if (item === undefined) return refuse('Select a request to replay.');
  const connectionId = findConnection(item.connectionId, source, live);
  const { sequence } = item;
  const record = ownExchange(item, source.https);
  if (record !== undefined) {
    const request = toExactRequest(record);
    if ('refused' in request) return refuse(request.refused);
    const text = decodeUtf8(record.request.body?.bytes ?? new Uint8Array()) ?? '';
    const on = connectionId === undefined ? {} : { connectionId };
    return {
      kind: 'exact',
      sending: { kind: 'http', ...on, request },
      replayOf: sequence,
      asksFor: callsIn(text, item, source),
    };
  }
  const isOurs = 'message' in item && item.direction === 'outgoing';
  const frame =
    isOurs && item.message.in === 'frame' ? findFrame(source.sockets, item.message) : undefined;
  if (!isOurs || frame === undefined) return refuse('Only what was sent can be replayed.');
  if (connectionId === undefined) {
    const url = source.connections.get(item.connectionId ?? '')?.url;
    return refuse(
      `A frame needs a live connection to ${url ?? 'its server'}. Connect, then replay.`,
    );
  }
  const text = recordedText(source, item.message) ?? '';
  return {
    kind: 'exact',
    sending:
      frame.opcode === 'binary'
        ? { kind: 'binary', connectionId, recorded: frame.data }
        : { kind: 'text', connectionId, text: toMarked(text, frameCuts(frame)) },
    replayOf: sequence,
    asksFor: callsIn(text, item, source),
  };
}

/** The calls in a text of tools that are not known to be read-only, those of a batch included. */
export function callsIn(
  text: string,
  item: Pick<Item, 'connectionId'>,
  source: ReplaySource,
): Asked[] {
  const parsed = parseJson(text);
  // A server may still find a call in what is no JSON.
  if (!parsed.ok) return /tools\/call/.test(text) ? [{ tool: '', argumentsText: text }] : [];
  const { url } = source.connections.get(item.connectionId ?? '') ?? {};
  const nodes = parsed.root.kind === 'array' ? parsed.root.items : [parsed.root];
  return nodes.flatMap((node) => {
    const payload = classifyPayload(text.slice(node.start, node.end));
    const message = payload.kind === 'message' ? payload.message : undefined;
    if (message === undefined || !('method' in message) || message.method !== 'tools/call')
      return [];
    const { name } = (message.params ?? {}) as { name?: unknown };
    const tool = typeof name === 'string' ? name : '';
    if (isKnownReadOnly(tool, url, source)) return [];
    return [{ tool, argumentsText: argumentsText(text, member(node, 'params')) }];
  });
}
