import { signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Item, NotificationItem, RequestItem } from '../../capture/correlate/items.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import type { BackgroundFunctions } from '../../port/contract.ts';
import type { AppModel } from '../app-model.ts';
import { readMessage } from '../captures/capture-text.ts';
import { diffExchange, weighExchange, type Weight } from '../captures/compare-exchange.ts';
import { toStatusText } from '../view/item-status.ts';
import { readProblem } from '../captures/read-problem.ts';
import { prepareSending, type Composition } from '../composer/composer-send.ts';
import type { Replay } from './replay.ts';
import { member, parseJson, sourceText } from '../../json/parse.ts';
import { withoutEnvelope } from '../../protocol/envelope.ts';
import { recordedCuts } from '../detail/body-cuts.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import { toMarked } from './replay-marks.ts';
import { callsIn } from './replay-exact-plan.ts';
import { learnHandles, newRewriting, rewrite } from './replay-rewrite.ts';

/** What is sent again in a run: our requests, and what we tell. */
export type RunItem = RequestItem | NotificationItem;

/** One line of the result. */
export interface RunRow {
  origin: RunItem;
  state: 'waiting' | 'sent' | 'done' | 'not-sent';
  /** Its replay, once it is in the log. */
  replay?: Item;
  /** How much the answers differ. */
  weight?: Weight;
  /** Why it was not sent, or what is different. */
  note?: string;
}

export interface ReplayRun {
  rows: ReadonlySignal<readonly RunRow[]>;
  state: ReadonlySignal<'idle' | 'running' | 'done' | 'stopped'>;
  /** Waits between requests as it was recorded; else each follows the answer of the last. */
  isPaced: Signal<boolean>;
  stopsAtDifference: Signal<boolean>;
  /** What is to be sent next: the rows that are selected, those that are shown, or everything recorded. */
  scope: Signal<'selected' | 'shown' | 'all'>;
  /** Sends these in order over a connection, after the user has agreed to what may change something. */
  start(items: readonly RunItem[], connectionId: string): void;
  stop(): void;
}

type Parts = Pick<AppModel, 'correlation' | 'watch'> & {
  search: Pick<AppModel['search'], 'peek'>;
  background: Pick<BackgroundFunctions, 'send' | 'sendRaw' | 'reveal'>;
  replay: Pick<Replay, 'ask'>;
};

/** The connection does these by itself. */
const OWN = new Set(['initialize', 'server/discover', 'notifications/initialized']);
/** These are over when they are cancelled, which may be never. */
const OPEN_ENDED = new Set(['subscriptions/listen', 'tasks/result']);
/** No answer is waited for longer than this, in milliseconds. */
const PATIENCE_MS = 10 * 60_000;

/** What of a log can be sent again in a run, in order. */
export function runItemsOf(items: Iterable<Item>): RunItem[] {
  const found: RunItem[] = [];
  for (const item of items) {
    if (item.kind !== 'request' && item.kind !== 'notification') continue;
    if (item.direction === 'outgoing' && !OWN.has(item.method)) found.push(item);
  }
  return found.toSorted((a, b) => a.sequence - b.sequence);
}

/** Creates a run with nothing in it. */
export function createReplayRun(model: Parts): ReplayRun {
  const rows = signal<readonly RunRow[]>([]);
  const state = signal<'idle' | 'running' | 'done' | 'stopped'>('idle');
  const isPaced = signal(false);
  const stopsAtDifference = signal(false);
  let ending = new AbortController();

  function change(index: number, next: Partial<RunRow>): void {
    rows.value = rows.value.map((row, at) => (at === index ? { ...row, ...next } : row));
  }

  function messageOf(item: RunItem): { text: string; paramsText: string | undefined } {
    const recorded = recordedText(model.correlation, item.message) ?? '';
    const text = toMarked(recorded, recordedCuts(model.correlation, item.message));
    const parsed = parseJson(text);
    const params = parsed.ok ? member(parsed.root, 'params') : undefined;
    return { text, paramsText: params && withoutEnvelope(sourceText(text, params)) };
  }

  async function run(items: readonly RunItem[], connectionId: string): Promise<void> {
    const { signal: ended } = ending;
    const rewriting = newRewriting();
    const begun = performance.now();
    const [first] = items;
    for (const [index, item] of items.entries()) {
      const { ms } = durationBetween((first ?? item).started, item.started);
      if (isPaced.value) await pause(ms - (performance.now() - begun), ended);
      if (ended.aborted) return;
      const { paramsText } = messageOf(item);
      const composition: Composition = {
        kind: 'request',
        connectionId,
        replayOf: item.sequence,
        method: item.method,
        paramsText: paramsText && rewrite(paramsText, rewriting),
        headers: [],
      };
      try {
        const prepared = await prepareSending(model.background, composition, model.correlation);
        if (!prepared.ok) {
          change(index, { state: 'not-sent', note: prepared.reason });
          continue;
        }
        const { carrierId, rpcId } = await prepared.send();
        if (item.kind === 'request' && rpcId !== undefined) rewriting.ids.set(item.rpcId, rpcId);
        change(index, { state: 'sent' });
        const isOpenEnded = OPEN_ENDED.has(item.method) || wasLeftOpen(item);
        const replay = await found(carrierId, item.sequence, !isOpenEnded, ended);
        if (replay === undefined) continue;
        const judged = await judge(item, replay);
        if (judged.answers) learnHandles(rewriting, ...judged.answers);
        change(index, { state: 'done', replay, weight: judged.weight, note: judged.note });
        if (stopsAtDifference.value && judged.weight === 'different') return end('stopped');
      } catch (error) {
        const problem = readProblem(error);
        change(index, { state: 'not-sent', note: problem.message });
        // Without the connection there is nothing more to send on.
        if (problem.code === 'not-connected') return end('stopped');
      }
    }
    end('done');
  }

  function end(how: 'done' | 'stopped'): void {
    ending.abort();
    state.value = how;
  }

  /** A request that never got an answer will not get one now; nobody waits for it. */
  function wasLeftOpen(item: RunItem): boolean {
    return item.kind === 'request' && item.outcome !== 'result' && item.outcome !== 'error';
  }

  /** The row of a replay, once it is there, and over where that is waited for. */
  function found(
    carrierId: string,
    replayOf: number,
    waits: boolean,
    ended: AbortSignal,
  ): Promise<Item | undefined> {
    return new Promise((resolve) => {
      const isIt = (item: Item) =>
        (item.httpId === carrierId || item.socketId === carrierId) &&
        (item.kind !== 'request' || item.replayOf === replayOf) &&
        (item.kind === 'request' || item.kind === 'notification');
      const isReady = (item: Item) => !waits || item.ended !== undefined;
      const settle = (item: Item | undefined) => {
        stopWatching();
        clearTimeout(timer);
        resolve(item);
      };
      const stopWatching = model.watch((changed) => {
        for (const item of changed) if (isIt(item) && isReady(item)) return settle(item);
      });
      const timer = setTimeout(() => settle(undefined), PATIENCE_MS);
      ended.addEventListener('abort', () => settle(undefined), { once: true });
      const there = model.correlation.items.slice(-500).findLast(isIt);
      if (there !== undefined && isReady(there)) settle(there);
    });
  }

  async function judge(
    origin: RunItem,
    replay: Item,
  ): Promise<{ weight: Weight; note: string; answers?: [string, string] }> {
    const log = {
      captureId: '',
      name: '',
      correlation: model.correlation,
      peek: model.search.peek,
    };
    const sides = { before: { log, item: origin }, after: { log, item: replay } };
    const statuses = [origin, replay].map((item) => toStatusText(item, model.correlation));
    const [was = '', is = ''] = statuses;
    const weights = weighExchange(sides, await diffExchange(sides, true), [was, is]);
    const parts = (['status', 'answer'] as const).filter((part) => weights[part] === 'different');
    const note = parts.map((part) =>
      part === 'status' ? `${was} became ${is}` : 'another answer',
    );
    const weight = parts.length > 0 ? 'different' : weights.answer;
    const answers = await answersOf(origin, replay, log);
    return { weight, note: note.join(', '), ...(answers === undefined ? {} : { answers }) };
  }

  async function answersOf(
    origin: RunItem,
    replay: Item,
    log: Parameters<typeof readMessage>[0],
  ): Promise<[string, string] | undefined> {
    if (origin.kind !== 'request' || replay.kind !== 'request') return undefined;
    if (origin.response === undefined || replay.response === undefined) return undefined;
    const was = await readMessage(log, origin.response);
    const is = await readMessage(log, replay.response);
    return was === undefined || is === undefined ? undefined : [was, is];
  }

  return {
    rows,
    state,
    isPaced,
    stopsAtDifference,
    scope: signal<'selected' | 'shown' | 'all'>('shown'),
    start(items, connectionId) {
      const calls = items.flatMap((item) =>
        item.method === 'tools/call' ? callsIn(messageOf(item).text, item, model.correlation) : [],
      );
      model.replay.ask({
        calls,
        differences: [],
        send() {
          ending.abort();
          ending = new AbortController();
          rows.value = items.map((origin) => ({ origin, state: 'waiting' }));
          state.value = items.length === 0 ? 'done' : 'running';
          void run(items, connectionId);
        },
      });
    },
    stop: () => end('stopped'),
  };
}

function pause(durationMs: number, ended: AbortSignal): Promise<void> {
  if (durationMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    ended.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
