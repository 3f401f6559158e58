import type { Problem } from '../../errors.ts';
import { momentOf } from './correlate-source.ts';
import { lifecycleItem } from '../lifecycle.ts';
import type { ConnectionRecord, HttpRecord, Item, LifecycleItem, RequestItem } from './items.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

/** What a stop of the worker did to what was open, and what the next life goes on with. */
export interface Restarts {
  /** Takes a fact of a restart; false for every other one. */
  apply(event: WireEvent): boolean;
  /** Every event is a sign of life. */
  saw(event: WireEvent): void;
}

interface RestartParts {
  open: ReadonlySet<Item>;
  connections: ReadonlyMap<string, ConnectionRecord>;
  https: ReadonlyMap<string, HttpRecord>;
  add(item: Item): void;
  change(item: Item): void;
  /** Makes an item that had ended pending again. */
  reopen(item: Item): void;
  /** The request whose stream an exchange carries or resumes. */
  requestOf(httpId: string): RequestItem | undefined;
}

interface Tally {
  resumed: number;
  lost: number;
  /** Connections that had not got so far that anything could go on. */
  anew: number;
  lostQuestions: number;
  awayMs: number | undefined;
}

const NOTHING: Tally = { resumed: 0, lost: 0, anew: 0, lostQuestions: 0, awayMs: undefined };

/** Closes what an earlier life left open, and opens again what is taken up. */
export function createRestarts(parts: RestartParts): Restarts {
  const { open, connections, add, change, reopen, requestOf, https } = parts;
  let cut: Item[] = [];
  let row: LifecycleItem | undefined;
  let tally = { ...NOTHING };
  let lastSeen = -Infinity;
  /** How long the log says nothing, at a restart. */
  let silentMs = Infinity;

  function start(event: EventOf<'worker-started'>): boolean {
    silentMs = Math.max(0, event.wallTime - lastSeen);
    cut = [];
    row = undefined;
    tally = { ...NOTHING };
    for (const item of open) {
      if (item.started.bootId === event.bootId || item.kind === 'lifecycle') continue;
      if (item.kind !== 'notification' && item.kind !== 'stray') {
        item.outcome = 'interrupted';
        // A stream that went on with the answer to a request counts as that request.
        const isPart = item.kind === 'stream' && requestOf(carrierOf(item)) !== undefined;
        // Neither does an authorization, which goes on when its user does.
        if (!isPart && item.kind !== 'auth') cut.push(item);
      }
      item.ended = momentOf(event);
      change(item);
    }
    for (const connection of connections.values()) {
      const isOpen = connection.state === 'live' || connection.state === 'opening';
      if (isOpen && connection.opened.bootId !== event.bootId) connection.state = 'interrupted';
    }
    if (cut.length === 0) return false;
    tally.lost = cut.length;
    show(event);
    return true;
  }

  function show(event: WireEvent): void {
    const detail = wordTally(tally);
    if (row === undefined) {
      row = lifecycleItem(event, { level: 'warning', title: 'Worker restarted', detail });
      add(row);
    } else {
      row.detail = detail;
      change(row);
    }
  }

  function revive(event: EventOf<'connection-revived'>): void {
    const connection = connections.get(event.connectionId ?? '');
    if (connection !== undefined) connection.state = event.anew === true ? 'opening' : 'live';
    const { questions, resumed } = event;
    // After several lives a call is carried by the stream that went on with it last.
    const carriers = new Set(resumed.map((carrier) => requestOf(carrier)?.httpId ?? carrier));
    // What an earlier restart had cut off, and had not been taken up yet, counts too.
    tally.resumed += resumed.length;
    tally.lostQuestions += questions?.lost ?? 0;
    if (event.anew === true) tally.anew += 1;
    for (const item of cut) {
      if (item.connectionId !== event.connectionId) continue;
      if (item.kind === 'request' && item.direction === 'incoming') {
        if (questions?.kept.includes(item.rpcId) !== true) {
          lose(item, false);
          continue;
        }
        tally.resumed += 1;
        tally.lost -= 1;
        reopen(item);
      } else if (carriers.has(carrierOf(item))) {
        tally.lost -= 1;
        // A standalone stream goes on in an exchange of its own; the answer to a request belongs to the request.
        if (item.kind === 'request' && connection?.era !== 'modern') reopen(item);
      } else if (item.kind === 'request') {
        lose(item, connection?.era === 'modern');
      }
    }
    tally.awayMs = Math.min(tally.awayMs ?? Infinity, event.awayMs, silentMs);
    show(event);
  }

  /** Between two exchanges of a stream that is taken up there is none that could tell of the end. */
  function close(event: EventOf<'connection-closed'>): void {
    for (const item of open) {
      if (item.kind !== 'request' || item.connectionId !== event.connectionId) continue;
      const { end, request } = https.get(item.httpId ?? '') ?? {};
      // What is under way in this life tells of its own end.
      const isUnderWay = end === undefined && request?.bootId === event.bootId;
      if (isUnderWay || request === undefined) continue;
      item.outcome = 'interrupted';
      item.ended = momentOf(event);
      change(item);
    }
  }

  function lose(item: RequestItem, isModern: boolean): void {
    if (item.direction === 'outgoing' && isModern) item.outcome = 'cancelled';
    item.problem = lostProblem(item.method, isModern);
    change(item);
  }

  return {
    saw: (event) => void (lastSeen = event.wallTime),
    apply(event) {
      if (event.kind === 'worker-started') return start(event);
      if (event.kind === 'connection-closed') close(event);
      if (event.kind !== 'connection-revived') return false;
      revive(event);
      return true;
    },
  };
}

function carrierOf(item: Item): string {
  return item.httpId ?? item.socketId ?? '';
}

function lostProblem(method: string, isModern: boolean): Problem {
  return {
    code: 'aborted',
    message: isModern
      ? `\`${method}\` was cancelled: the browser stopped the worker, which closed its exchange, and closing is cancelling.`
      : `\`${method}\` was unanswered when the browser stopped the worker, and nothing can take it up again.`,
    advice: 'It may have run on the server. Send it again if that does no harm.',
  };
}

function wordTally({ resumed, lost, anew, lostQuestions, awayMs }: Tally): string {
  const away = awayMs === undefined ? '' : `away for about ${Math.round(awayMs / 100) / 10} s; `;
  const parts = [
    resumed === 0 ? '' : `${resumed} resumed`,
    lost === 0 ? '' : `${lost} cut off`,
    anew === 0 ? '' : `${anew} connected anew`,
    lostQuestions === 0
      ? ''
      : `${lostQuestions} ${lostQuestions === 1 ? 'question' : 'questions'} of the server lost`,
  ].filter((part) => part !== '');
  const what = parts.length === 0 ? 'nothing was open' : parts.join(', ');
  return `${away}${what}; all that was shown is kept`;
}
