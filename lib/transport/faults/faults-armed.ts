import type { ArmedFault, FaultPlace, InjectedFault } from '../../capture/correlate/fault.ts';
import { sessionInEndpoint } from '../../protocol/endpoint-session.ts';
import { classifyPayload, type Payload } from '../../protocol/jsonrpc.ts';
import { decodeUtf8 } from '../../text.ts';
import type { HttpCall } from '../exchange/http-door.ts';
import { sessionIdIn } from '../http/session-header.ts';

/** What an exchange is to suffer. */
export interface TakenFaults {
  delayMs?: number;
  pieceBytes?: number;
  cutAfterBytes?: number;
  /** Nothing is sent; this is the answer. */
  status?: 401 | 404;
}

/** What is to strike next. */
export interface ArmedFaults {
  readonly list: readonly ArmedFault[];
  add(fault: InjectedFault, place: ArmedFault['place']): void;
  /** Returns what is taken out; `undefined` where it has struck already. */
  remove(faultId: string): ArmedFault | undefined;
  /** Takes what is armed for such an exchange, at most one of each kind; it stays armed until it strikes. */
  take(call: HttpCall): TakenFaults;
  /** The fault of this kind that the exchange has taken strikes: it is gone. */
  strike(carrierId: string, kind: InjectedFault['kind']): InjectedFault | undefined;
  /** The carrier is over: what has not struck on it waits for another one, or goes with it. */
  release(carrierId: string): void;
  clear(): void;
}

interface Armed extends ArmedFault {
  /** The exchange in which it is about to strike. */
  takenBy?: string;
}

const NONE: TakenFaults = Object.freeze({});

/** Starts with nothing armed; `changed` is called whenever the list has changed. */
export function createArmedFaults(changed: () => void): ArmedFaults {
  let list: Armed[] = [];
  let count = 0;

  function keep(isKept: (entry: Armed) => boolean): void {
    const { length } = list;
    list = list.filter(isKept);
    if (list.length !== length) changed();
  }

  return {
    get list() {
      return list.map(({ faultId, fault, place }) => ({ faultId, fault, place }));
    },
    add(fault, place) {
      count += 1;
      list = [...list, { faultId: `fault-${count}`, fault, place }];
      changed();
    },
    remove(faultId) {
      const entry = list.find((other) => other.faultId === faultId);
      keep((other) => other !== entry);
      return entry;
    },
    take(call) {
      if (list.length === 0) return NONE;
      const taken: TakenFaults = {};
      const place = placeOf(call);
      for (const entry of list) {
        if (entry.takenBy !== undefined || entry.place !== place) continue;
        if (takeOne(entry.fault, call, taken)) entry.takenBy = call.httpId;
      }
      return taken;
    },
    strike(carrierId, kind) {
      const entry = list.find(({ fault, takenBy }) => fault.kind === kind && takenBy === carrierId);
      keep((other) => other !== entry);
      return entry?.fault;
    },
    release(carrierId) {
      for (const entry of list) if (entry.takenBy === carrierId) delete entry.takenBy;
      keep(({ place }) => typeof place !== 'object' || place.carrierId !== carrierId);
    },
    clear: () => keep(() => false),
  };
}

/** Whether it fits this exchange, and what the exchange suffers already. */
function takeOne(fault: InjectedFault, call: HttpCall, taken: TakenFaults): boolean {
  switch (fault.kind) {
    case 'delay':
      if (taken.delayMs !== undefined) return false;
      taken.delayMs = fault.delayMs;
      return true;
    case 'split':
      if (taken.pieceBytes !== undefined) return false;
      taken.pieceBytes = fault.pieceBytes;
      return true;
    case 'cut':
      if (taken.cutAfterBytes !== undefined) return false;
      taken.cutAfterBytes = fault.afterBytes;
      return true;
    case 'refuse':
      if (taken.status !== undefined || (fault.status === 404 && !namesSession(call))) return false;
      taken.status = fault.status;
      return true;
    case 'drop':
    case 'resume':
      return false;
  }
}

/** Answers to the server and notifications go out at any time: nobody could aim at what comes next. */
function placeOf({ method, body }: HttpCall): FaultPlace | undefined {
  if (method === 'GET') return 'stream';
  if (method === 'DELETE' || body === undefined) return undefined;
  return holdsRequest(classifyPayload(decodeUtf8(body) ?? '')) ? 'exchange' : undefined;
}

function holdsRequest(payload: Payload): boolean {
  if (payload.kind === 'batch') return payload.items.some(holdsRequest);
  return payload.kind === 'message' && payload.message.kind === 'request';
}

function namesSession({ headers, url }: HttpCall): boolean {
  return sessionIdIn(headers) !== undefined || sessionInEndpoint(url) !== undefined;
}
