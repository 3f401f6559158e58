import type { Correlation } from '../../capture/correlate/correlate.ts';
import type {
  AuthItem,
  HttpRecord,
  Item,
  Moment,
  RequestItem,
} from '../../capture/correlate/items.ts';
import { userWaits } from '../auth/auth-state.ts';
import type { TimeScale } from './waterfall-time.ts';

/**
 * What a stretch of a row's life was spent on. `queued`: not sent yet. `waiting`: for the response. `open`: the
 * response is coming, a line where nothing comes. `user`: for the answer of the user.
 */
export type StretchKind = 'queued' | 'waiting' | 'open' | 'user';

/** Times are wall time in ms, by the scale. */
export interface Stretch {
  kind: StretchKind;
  from: number;
  to: number;
}

/** The life of one row, as far as it is recorded. */
export interface Waterfall {
  stretches: readonly Stretch[];
  /** What came or went within, each list in the order of time. */
  ticks: readonly (readonly Moment[])[];
  from: number;
  to: number;
  isRunning: boolean;
  /** What its response came in; absent where there is none. */
  pieces?: { unit: 'stream event' | 'chunk' | 'frame'; list: readonly Moment[] };
}

/** What a waterfall is made from. */
export type WaterfallSource = Pick<Correlation, 'https' | 'sockets' | 'chains' | 'auths'>;

interface Drawing {
  source: WaterfallSource;
  scale: TimeScale;
  /** Where what is not over ends for now. */
  now: number;
  stretches: Stretch[];
  ticks: (readonly Moment[])[];
  pieces?: Waterfall['pieces'];
}

/**
 * The waterfall of an item. `asked` are requests of the server within it that wait, or waited, for the user;
 * `now` is wall time in ms. Nothing is copied: the ticks are the lists of the log.
 */
export function toWaterfall(
  item: Item,
  source: WaterfallSource,
  scale: TimeScale,
  now: number,
  asked: readonly RequestItem[] = [],
): Waterfall {
  const started = scale.at(item.started);
  const drawing: Drawing = {
    source,
    scale,
    now: Math.max(now, started),
    stretches: [],
    ticks: [],
  };
  const isRunning = addLife(item, drawing);
  for (const request of asked) addStretch(drawing, 'user', request.started, request.ended);
  const ends = drawing.stretches.map(({ to }) => to);
  for (const list of drawing.ticks) {
    const last = list.at(-1);
    if (last !== undefined) ends.push(scale.at(last));
  }
  const { stretches, ticks, pieces } = drawing;
  const to = Math.max(started, ...ends);
  return { stretches, ticks, from: started, to, isRunning, ...(pieces && { pieces }) };
}

/** Adds all that is known of an item; returns whether it goes on. */
function addLife(item: Item, drawing: Drawing): boolean {
  switch (item.kind) {
    case 'request':
      return item.direction === 'incoming' ? addQuestion(item, drawing) : addCall(item, drawing);
    case 'stream':
    case 'http':
      addExchange(drawing, drawing.source.https.get(item.httpId));
      return item.ended === undefined;
    case 'socket':
      return addSocket(item, drawing);
    case 'auth':
      addAuthorization(item, drawing);
      return item.ended === undefined;
    case 'notification':
      if (item.direction === 'outgoing' && item.httpId !== undefined) {
        addExchange(drawing, drawing.source.https.get(item.httpId));
      }
      drawing.ticks.push([item.started]);
      return false;
    case 'stray':
    case 'lifecycle':
      drawing.ticks.push([item.started]);
      return false;
  }
}

/** What its user did in it goes over what servers did. */
function addAuthorization(item: AuthItem, drawing: Drawing): void {
  addStretch(drawing, 'waiting', item.started, item.ended);
  const record = drawing.source.auths.get(item.chain);
  if (record === undefined) return;
  for (const { asked, answered } of userWaits(record)) {
    addStretch(drawing, 'user', asked, answered ?? item.ended);
  }
}

/** The time between a request that was refused and its repeat, which others may have caused to be longer. */
function addAuthWait(
  drawing: Drawing,
  chain: string,
  { end, request: refused }: HttpRecord,
  repeat: Moment,
): void {
  const { scale, source } = drawing;
  const from = end ?? refused;
  addStretch(drawing, 'waiting', from, repeat);
  const record = source.auths.get(chain);
  if (record === undefined) return;
  for (const { asked, answered } of userWaits(record)) {
    const isEarlier = scale.at(asked) < scale.at(from);
    addStretch(drawing, 'user', isEarlier ? from : asked, answered ?? repeat);
  }
}

/** A request of ours, over all its rounds: between two of them the server waits for the user. */
function addCall(item: RequestItem, drawing: Drawing): boolean {
  const chain = drawing.source.chains.get(item.key);
  const rounds = chain === undefined ? [item] : [chain.first, ...chain.later];
  for (const [index, round] of rounds.entries()) {
    addRound(round, drawing);
    const next = rounds[index + 1];
    if (next !== undefined && round.ended !== undefined) {
      addStretch(drawing, 'user', round.ended, next.started);
    }
  }
  const last = rounds.at(-1) ?? item;
  if (chain?.isWaiting === true && last.ended !== undefined) {
    addStretch(drawing, 'user', last.ended, undefined);
    return true;
  }
  return last.ended === undefined;
}

function addRound(item: RequestItem, drawing: Drawing): void {
  const { ended } = item;
  const record = item.httpId === undefined ? undefined : drawing.source.https.get(item.httpId);
  addExchange(drawing, record);
  // The answer may come another way than the exchange: on a socket, on another stream.
  const from = record === undefined ? item.started : record.end;
  const isLater =
    from !== undefined && (ended === undefined || drawing.scale.at(ended) > drawing.scale.at(from));
  if (isLater) addStretch(drawing, 'waiting', from, ended);
  if (ended !== undefined) drawing.ticks.push([ended]);
}

/** A request of the server: it waits for the user, unless a policy or we ourselves answered. */
function addQuestion(item: RequestItem, drawing: Drawing): boolean {
  const isAutomatic = item.answeredBy === 'policy' || item.method === 'ping';
  addStretch(drawing, isAutomatic ? 'waiting' : 'user', item.started, item.ended);
  drawing.ticks.push(item.ended === undefined ? [item.started] : [item.started, item.ended]);
  return item.ended === undefined;
}

function addExchange(drawing: Drawing, record: HttpRecord | undefined): void {
  if (record === undefined) return;
  const { request, queued, released, sent, response, chunks, stream, end } = record;
  const { reason, causedBy, retryOf, authChain } = request.links;
  const before = drawing.source.https.get((reason === 'redirect' ? causedBy : retryOf) ?? '');
  // An imported log may point in a circle.
  if (before !== undefined && before.request.sequence < request.sequence) {
    const isSameMessage = reason === 'redirect' || authChain !== undefined;
    if (isSameMessage) addExchange(drawing, before);
    if (authChain !== undefined) addAuthWait(drawing, authChain, before, request);
  }
  const left = sent ?? released;
  const isHeld = queued !== undefined && left === undefined;
  if (isHeld) return addStretch(drawing, 'queued', request, end);
  addStretch(drawing, 'queued', request, left ?? request);
  addStretch(drawing, 'waiting', left ?? request, response ?? end);
  if (response !== undefined) {
    addStretch(drawing, 'open', response, end);
    drawing.ticks.push([response]);
  }
  addPieces(
    drawing,
    stream.length > 0 ? 'stream event' : 'chunk',
    stream.length > 0 ? stream : chunks,
  );
  if (end !== undefined) drawing.ticks.push([end]);
}

function addSocket(item: Item & { kind: 'socket' }, drawing: Drawing): boolean {
  const record = drawing.source.sockets.get(item.socketId);
  if (record === undefined) return false;
  const { opening, open, frames, close } = record;
  addStretch(drawing, 'waiting', opening, open ?? close ?? item.ended);
  if (open !== undefined) {
    addStretch(drawing, 'open', open, close ?? item.ended);
    drawing.ticks.push([open]);
  }
  addPieces(drawing, 'frame', frames);
  if (close !== undefined) drawing.ticks.push([close]);
  return item.ended === undefined;
}

function addPieces(
  drawing: Drawing,
  unit: 'stream event' | 'chunk' | 'frame',
  list: readonly Moment[],
): void {
  drawing.ticks.push(list);
  if (list.length > (drawing.pieces?.list.length ?? 0)) drawing.pieces = { unit, list };
}

function addStretch(
  { stretches, scale, now }: Drawing,
  kind: StretchKind,
  start: Moment,
  end: Moment | undefined,
): void {
  const from = scale.at(start);
  const to = end === undefined ? now : scale.at(end);
  if (to > from) stretches.push({ kind, from, to });
}
