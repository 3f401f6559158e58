import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { RequestItem } from '../../capture/correlate/items.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import { cacheHintOf } from '../../protocol/caching.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { paramHeadersOf } from '../../protocol/param-headers.ts';
import { isTaskOver, taskOf } from '../../protocol/result-type.ts';
import { formatClock, formatDuration, toLine } from '../../text.ts';
import { isRecord } from '../../record.ts';
import { toStatusText } from '../view/item-status.ts';
import { messageSize } from './read-text.ts';
import { toFilterWords } from '../server/subscription-words.ts';

const HUGE_BYTES = 2_000_000;

/** What the modern era adds to a call and its result, in words. */
export interface CallFacts {
  resultType?: string;
  caching?: string;
  /** Tools that a client has to leave out. */
  excluded: { tool: string; reason: string }[];
  task?: { taskId: string; words: string; isOver: boolean };
  subscription?: { asked: string; agreed?: string };
  /** All rounds of the call; empty where there is only one. */
  rounds: { item: RequestItem; name: string; words: string }[];
}

/** Reads the facts of a request and its result; never throws on what a server sends. */
export function toCallFacts(item: RequestItem, source: Correlation): CallFacts {
  const result = resultOf(item, source);
  const resultType = isRecord(result) ? toTypeWords(result['resultType']) : undefined;
  const caching = cachingWords(item, result);
  const task = taskFacts(result);
  const subscription = source.subscriptions.get(item.key);
  return {
    excluded: item.method === 'tools/list' ? excludedTools(result) : [],
    rounds: roundsOf(item, source),
    ...(resultType === undefined ? {} : { resultType }),
    ...(caching === undefined ? {} : { caching }),
    ...(task === undefined ? {} : { task }),
    ...(subscription === undefined
      ? {}
      : {
          subscription: {
            asked: toFilterWords(subscription.asked),
            ...('acknowledged' in subscription
              ? { agreed: toFilterWords(subscription.acknowledged) }
              : {}),
          },
        }),
  };
}

function resultOf(item: RequestItem, source: Correlation): unknown {
  // What is so large holds no facts about itself, and would stop the page for as long as it takes to parse.
  const isHuge = item.response !== undefined && messageSize(source, item.response) > HUGE_BYTES;
  const text = item.response && !isHuge ? recordedText(source, item.response) : undefined;
  const payload = text === undefined ? undefined : classifyPayload(text);
  const message = payload?.kind === 'message' ? payload.message : undefined;
  return message?.kind === 'result' ? message.result : undefined;
}

function toTypeWords(resultType: unknown): string {
  if (resultType === undefined) return 'absent, which means complete';
  return toLine(resultType);
}

function cachingWords({ method, ended }: RequestItem, result: unknown): string | undefined {
  const hint = cacheHintOf(method, result);
  if (hint === undefined || ended === undefined) return undefined;
  const { ttlMs, fault, scope } = hint;
  const why = {
    absent: ' (no ttlMs)',
    negative: ' (ttlMs is negative)',
    'no number': ' (ttlMs is no number)',
  };
  const fresh =
    ttlMs > 0
      ? `fresh until ${formatClock(ended.wallTime + ttlMs).slice(0, 8)}`
      : `stale at once${fault === undefined ? '' : why[fault]}`;
  return `${fresh}, ${scope ?? 'no known cacheScope'}: not used by Wirescope`;
}

function excludedTools(result: unknown): CallFacts['excluded'] {
  const tools = isRecord(result) && Array.isArray(result['tools']) ? result['tools'] : [];
  return tools.flatMap((tool: unknown) => {
    if (!isRecord(tool)) return [];
    const headers = paramHeadersOf(tool['inputSchema']);
    return headers.ok ? [] : [{ tool: toLine(tool['name']), reason: headers.reason }];
  });
}

function taskFacts(result: unknown): CallFacts['task'] {
  const task = taskOf(result);
  if (task === undefined) return undefined;
  const { taskId, status, statusMessage, pollIntervalMs } = task;
  const words = [
    status,
    statusMessage,
    pollIntervalMs === undefined
      ? undefined
      : `to be asked every ${formatDuration(pollIntervalMs)}`,
  ];
  return {
    taskId,
    words: words.filter((part) => part !== undefined).join(', '),
    isOver: isTaskOver(task),
  };
}

function roundsOf(item: RequestItem, source: Correlation): CallFacts['rounds'] {
  const chain = source.chains.get(item.round?.first ?? item.key);
  if (chain === undefined) return [];
  return [chain.first, ...chain.later].map((round) => ({
    item: round,
    name: `Round ${round.round?.number ?? 1}`,
    words: askedWords(resultOf(round, source)) ?? toStatusText(round, source),
  }));
}

/** What an interim result asks for; undefined for every other one. */
function askedWords(result: unknown): string | undefined {
  if (!isRecord(result) || result['resultType'] !== 'input_required') return undefined;
  const requests = isRecord(result['inputRequests']) ? Object.entries(result['inputRequests']) : [];
  if (requests.length === 0) return 'asks for another try';
  const asked = requests.map(([key, request]) => {
    const method = isRecord(request) ? request['method'] : undefined;
    return `${key} (${typeof method === 'string' ? method : 'no method'})`;
  });
  return `asks for ${asked.join(', ')}`;
}
