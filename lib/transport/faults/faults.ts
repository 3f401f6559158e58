import { delay } from '../../delay.ts';
import { AppError, type Problem } from '../../errors.ts';
import type {
  ArmedFault,
  Fault,
  FaultPlace,
  InjectedFault,
  ResumeChoice,
} from '../../capture/correlate/fault.ts';
import type { ExchangeContext } from '../exchange/exchange.ts';
import { createArmedFaults, type TakenFaults } from './faults-armed.ts';
import { tapBody } from './faults-body.ts';
import { tapSockets } from './faults-socket.ts';
import { headerOf } from '../header-of.ts';
import type { BodyReader, HttpCall, HttpDoor, HttpReply } from '../exchange/http-door.ts';
import { INJECTED, InjectedCut, type Droppable } from '../injected.ts';
import type { SocketDoor } from '../websocket/socket-door.ts';

/** An id that no server has given. */
const WRONG_EVENT_ID = 'wirescope-wrong-id';

export interface FaultContext {
  door: HttpDoor;
  socketDoor: SocketDoor;
  /** A fault has struck. Comes before every event that it leads to. */
  injected(carrierId: string, fault: InjectedFault): void;
  /** The list of what is armed has changed. */
  changed(): void;
}

/** The faults of one connection: its doors with faults in them, and what is to strike next. */
export interface FaultBench {
  doors: FaultDoors;
  readonly armed: readonly ArmedFault[];
  /** Once it has struck, a fault is gone. */
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

/** In place of the platform's doors; they do what those do as long as nothing is armed. */
export interface FaultDoors extends Required<Pick<ExchangeContext, 'door' | 'faults'>> {
  socketDoor: SocketDoor;
}

interface Drop {
  resume: ResumeChoice;
  isAfterEvent: boolean;
}

/** Puts faults between a connection and its doors; until one is armed, all passes as it is. */
export function createFaultBench(context: FaultContext): FaultBench {
  const { injected, door } = context;
  const armed = createArmedFaults(() => context.changed());
  const open = new Map<string, Droppable>();
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

  function close(carrierId: string): void {
    open.delete(carrierId);
    wanted.delete(carrierId);
    armed.release(carrierId);
  }

  async function send(call: HttpCall, reach: () => Promise<HttpReply>): Promise<HttpReply> {
    const { httpId } = call;
    const from = overrides.get(lastEventIdOf(call) ?? '');
    if (from !== undefined) injected(httpId, { kind: 'resume', from });
    const { status, delayMs, ...ofBody } = armed.take(call);
    let reply: HttpReply | undefined;
    try {
      if (status !== undefined) {
        strike(httpId, 'refuse');
        return refuse(status);
      }
      reply = await reach();
      if (delayMs !== undefined) {
        strike(httpId, 'delay');
        await hold(reply, delayMs, call.signal);
      }
      return reply.body === undefined ? reply : { ...reply, body: tap(httpId, reply.body, ofBody) };
    } finally {
      if (!open.has(httpId)) armed.release(httpId);
    }
  }

  function tap(httpId: string, body: BodyReader, faults: TakenFaults): BodyReader {
    const tapped = tapBody(body, {
      ...faults,
      struck: (kind) => (kind === 'drop' ? strikeDrop(httpId) : strike(httpId, kind)),
      over: () => close(httpId),
    });
    open.set(httpId, tapped);
    return tapped.reader;
  }

  return {
    doors: {
      door: {
        canBrake: door.canBrake,
        send: (call, observer) => send(call, () => door.send(call, observer)),
        bodyError: (httpId, error) =>
          error instanceof InjectedCut
            ? Promise.resolve(error.message)
            : door.bodyError(httpId, error),
      },
      socketDoor: tapSockets(context.socketDoor, {
        opened: (socketId, socket) => void open.set(socketId, socket),
        dropped: strikeDrop,
        over: close,
      }),
      faults: {
        resumeFrom(httpId, lastEventId) {
          const resume = dropped.get(httpId) ?? { from: 'last' };
          dropped.delete(httpId);
          if (resume.from === 'none') return undefined;
          const next = resume.from === 'chosen' ? resume.lastEventId : WRONG_EVENT_ID;
          if (resume.from === 'last' || next === lastEventId) return lastEventId;
          overrides.set(next, resume.from);
          return next;
        },
      },
    },
    get armed() {
      return armed.list;
    },
    arm: armed.add,
    disarm(faultId) {
      const place = armed.remove(faultId)?.place;
      if (typeof place !== 'object') return;
      wanted.delete(place.carrierId);
      open.get(place.carrierId)?.dropAfterEvent(false);
    },
    drop(carrierId, resume, isAfterEvent) {
      const carrier = open.get(carrierId);
      if (carrier === undefined) throw new AppError(OVER);
      wanted.set(carrierId, { resume, isAfterEvent });
      if (!isAfterEvent) return carrier.drop();
      carrier.dropAfterEvent(true);
      // The newest wish counts.
      armed.release(carrierId);
      armed.add({ kind: 'drop', resume: resume.from, afterEvent: true }, { carrierId });
    },
    clear() {
      for (const carrier of open.values()) carrier.dropAfterEvent(false);
      armed.clear();
    },
  };
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
