import { delay } from '../../delay.ts';
import { AppError, type Problem } from '../../errors.ts';
import type {
  ArmedFault,
  Fault,
  FaultPlace,
  InjectedFault,
  ResumeChoice,
} from '../../capture/correlate/fault.ts';
import { createArmedFaults, type TakenFaults } from './faults-armed.ts';
import { createFaultyBody } from './faults-body.ts';
import { createFaultySocket } from './faults-socket.ts';
import { headerOf } from '../header-of.ts';
import type { HttpCall, HttpReply } from '../exchange/http-door.ts';
import { INJECTED, type Droppable } from '../injected.ts';
import type { BodyTap } from '../taps/tap-body.ts';
import type { Faults, Taps } from '../taps/taps.ts';

/** An id that no server has given. */
const WRONG_EVENT_ID = 'wirescope-wrong-id';

export interface FaultContext {
  taps: Taps;
  /** A fault has struck. Comes before every event that it leads to. */
  injected(carrierId: string, fault: InjectedFault): void;
  /** The list of what is armed has changed. */
  changed(): void;
}

/** The faults of one connection, and what is to strike next. */
export interface FaultBench extends Faults {
  readonly armed: readonly ArmedFault[];
  /** Once it has struck, a fault is gone. Throws an `AppError` where its number is none that it could use. */
  arm(fault: Fault, place: FaultPlace): void;
  disarm(faultId: string): void;
  /**
   * Breaks off what carries messages, now or behind the next event or frame. Throws an `AppError`
   * (`not-connected`) where it is over.
   */
  drop(carrierId: string, resume: ResumeChoice, isAfterEvent: boolean): void;
  /** Disarms all. */
  clear(): void;
}

interface Drop {
  resume: ResumeChoice;
  isAfterEvent: boolean;
}

/** Puts faults into what passes the taps of a connection; until one is armed, all passes as it is. */
export function createFaultBench({ taps, injected, changed }: FaultContext): FaultBench {
  const armed = createArmedFaults(changed);
  const faulty = new Map<string, Droppable>();
  const wanted = new Map<string, Drop>();
  const dropped = new Map<string, ResumeChoice>();
  /** Ids that streams are resumed with on our wish. */
  const overrides = new Map<string, 'chosen' | 'wrong'>();

  function strike(carrierId: string, kind: InjectedFault['kind']): void {
    const fault = armed.strike(carrierId, kind);
    if (fault !== undefined) injected(carrierId, fault);
  }

  function strikeDrop(carrierId: string): void {
    const drop = wanted.get(carrierId);
    if (drop === undefined) return;
    const { resume, isAfterEvent } = drop;
    dropped.set(carrierId, resume);
    const fault = { kind: 'drop', resume: resume.from } as const;
    injected(carrierId, isAfterEvent ? { ...fault, afterEvent: true } : fault);
  }

  function putInto(tap: BodyTap, httpId: string, faults: TakenFaults): Droppable {
    const body = tap.interpose((source) =>
      createFaultyBody(
        source,
        {
          ...faults,
          struck: (kind) => (kind === 'drop' ? strikeDrop(httpId) : strike(httpId, kind)),
          over: () => taps.close(httpId),
          cut: taps.cut,
        },
        tap.tail,
      ),
    );
    faulty.set(httpId, body);
    return body;
  }

  function openCarrier(carrierId: string): Droppable | undefined {
    const made = faulty.get(carrierId);
    if (made !== undefined) return made;
    const body = taps.bodies.get(carrierId);
    if (body !== undefined) return putInto(body, carrierId, {});
    const tap = taps.sockets.get(carrierId);
    if (tap === undefined) return undefined;
    const socket = createFaultySocket(tap, () => strikeDrop(carrierId));
    faulty.set(carrierId, socket);
    return socket;
  }

  return {
    async send(call, reach) {
      const { httpId } = call;
      const from = overrides.get(lastEventIdOf(call) ?? '');
      if (from !== undefined) injected(httpId, { kind: 'resume', from });
      const { status, delayMs, ...ofBody } = armed.take(call);
      try {
        if (status !== undefined) {
          strike(httpId, 'refuse');
          return refuse(status);
        }
        const reply = await reach();
        const tap = taps.bodies.get(httpId);
        if (tap !== undefined) putInto(tap, httpId, ofBody);
        if (delayMs !== undefined) {
          strike(httpId, 'delay');
          await hold(reply, delayMs, call.signal);
        }
        return reply;
      } finally {
        if (taps.bodies.get(httpId) === undefined) armed.release(httpId);
      }
    },
    over(carrierId) {
      faulty.delete(carrierId);
      wanted.delete(carrierId);
      armed.release(carrierId);
    },
    resumeFrom(httpId, lastEventId) {
      const resume = dropped.get(httpId) ?? { from: 'last' };
      dropped.delete(httpId);
      if (resume.from === 'none') return undefined;
      const next = resume.from === 'chosen' ? resume.lastEventId : WRONG_EVENT_ID;
      if (resume.from === 'last' || next === lastEventId) return lastEventId;
      overrides.set(next, resume.from);
      return next;
    },
    get armed() {
      return armed.list;
    },
    arm(fault, place) {
      checkFault(fault);
      armed.add(fault, place);
    },
    disarm(faultId) {
      const place = armed.remove(faultId)?.place;
      if (typeof place !== 'object') return;
      wanted.delete(place.carrierId);
      openCarrier(place.carrierId)?.dropAfterEvent(false);
    },
    drop(carrierId, resume, isAfterEvent) {
      const carrier = openCarrier(carrierId);
      if (carrier === undefined) throw new AppError(OVER);
      wanted.set(carrierId, { resume, isAfterEvent });
      if (!isAfterEvent) return carrier.drop();
      carrier.dropAfterEvent(true);
      // The newest wish counts.
      armed.release(carrierId);
      armed.add({ kind: 'drop', resume: resume.from, afterEvent: true }, { carrierId });
    },
    clear() {
      for (const carrier of faulty.values()) carrier.dropAfterEvent(false);
      armed.clear();
    },
  };
}

/** What would make no sense as a length of time or a number of bytes is a mistake of the page. */
function checkFault(fault: Fault): void {
  const value =
    fault.kind === 'delay'
      ? fault.delayMs
      : fault.kind === 'split'
        ? fault.pieceBytes - 1
        : fault.kind === 'cut'
          ? fault.afterBytes
          : 0;
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new AppError({ code: 'internal', message: 'The fault has no number that it could use.' });
}

/** Keeps an answer back. Rejects with the signal's reason, and lets the answer go then. */
async function hold(reply: HttpReply, delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(delayMs, signal);
  } catch (error) {
    reply.body?.cancel().catch(() => undefined);
    throw error;
  }
}

function lastEventIdOf({ method, headers }: HttpCall): string | undefined {
  if (method !== 'GET') return undefined;
  return headerOf(headers, 'last-event-id');
}

function refuse(status: 401 | 404): HttpReply {
  const isLogin = status === 401;
  return {
    origin: INJECTED,
    head: {
      status,
      statusText: isLogin ? 'Unauthorized' : 'Not Found',
      headers: isLogin ? [{ name: 'WWW-Authenticate', value: 'Bearer error="invalid_token"' }] : [],
    },
    body: undefined,
  };
}

const OVER: Problem = {
  code: 'not-connected',
  message: 'This stream is over, so there is nothing to drop.',
};
