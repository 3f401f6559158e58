import { eventText } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, RpcId } from '../../capture/correlate/items.ts';
import type { EventOf } from '../../capture/wire-event.ts';
import { classifyPayload, type Message, type Payload } from '../../protocol/jsonrpc.ts';
import { isRecord } from '../../record.ts';
import { createCounting } from './lab-counting.ts';
import { type LabLog, type LabStream } from './lab-log.ts';

/**
 * What is wrong with a stream that goes on: events are missing, came twice, came in another order, or belong to
 * another stream ("Resumability and Redelivery": only that stream's later messages may be replayed).
 */
export type LabFault = 'gap' | 'duplicate' | 'reordered' | 'foreign';

/** What shows it: ids of events, or the JSON-RPC ids of messages that have none. */
export interface LabFinding {
  fault: LabFault;
  eventIds: string[];
  rpcIds: RpcId[];
  /** `sequence` of the first event that shows it; absent for what did not come. */
  sequence?: number;
  /** How many events show it; only the first ones are named. */
  count: number;
}

/** As many ids as anybody reads. */
const NAMED = 20;

/** Judges one GET that goes on with a stream. */
export interface Judge {
  /** Reads the events that are new. */
  read(): void;
  /** Found so far, the gravest first. */
  readonly findings: readonly LabFinding[];
  readonly eventCount: number;
}

const GRAVITY: readonly LabFault[] = ['foreign', 'gap', 'duplicate', 'reordered'];

/** Judges what `record` brings of a stream that others have carried before it; it must belong to the log. */
export function createJudge(log: LabLog, stream: LabStream, record: HttpRecord): Judge {
  const { sequence: begun, links } = record.request;
  const asked = links.lastEventId;
  const askedPlace = asked === undefined ? undefined : stream.places.get(asked);
  /** What came before and is asked for again, where an earlier id was chosen. */
  const due = new Set(
    askedPlace === undefined ? [] : stream.ids.slice(askedPlace + 1).filter(isOld),
  );
  /** What the server's own count names, and what came on no stream so far. */
  const passedOver = new Set<string>();
  const counting = createCounting(stream.ids.filter(isOld));
  const found = new Map<LabFault, LabFinding>();
  const here = new Set<string>();
  const answered = new Set<RpcId>();
  let seen = 0;
  let eventCount = 0;
  let lastPlace = -1;
  let hasNews = false;

  /** Whether an id of this stream came before it was taken up again. */
  function isOld(id: string): boolean {
    const home = log.homeOf(id);
    return home !== undefined && home.stream === stream && home.sequence < begun;
  }

  function note(fault: LabFault, evidence: { eventId?: string; rpcId?: RpcId }, at: number): void {
    const finding = found.get(fault) ?? {
      fault,
      eventIds: [],
      rpcIds: [],
      count: 0,
      sequence: at,
    };
    found.set(fault, finding);
    finding.count += 1;
    const { eventId, rpcId } = evidence;
    if (eventId !== undefined && finding.eventIds.length < NAMED) finding.eventIds.push(eventId);
    if (rpcId !== undefined && finding.rpcIds.length < NAMED) finding.rpcIds.push(rpcId);
  }

  function readEvent(event: EventOf<'sse-event'>): void {
    eventCount += 1;
    const { id = '', sequence } = event;
    const evidence = id === '' ? {} : { eventId: id };
    if (id !== '' && !readId(id, sequence)) return;
    const messages = messagesIn(classifyPayload(eventText(record, event) ?? ''));
    for (const message of messages) readMessage(message, evidence, sequence);
  }

  /** Whether the event is a new one, whose messages are worth a look. */
  function readId(id: string, sequence: number): boolean {
    const home = log.homeOf(id);
    if (here.has(id)) {
      note('duplicate', { eventId: id }, sequence);
      return false;
    }
    here.add(id);
    if (home !== undefined && home.sequence < sequence && home.stream !== stream) {
      note('foreign', { eventId: id }, sequence);
      return false;
    }
    if (home !== undefined && home.sequence < begun) {
      readOld(id, sequence);
      return false;
    }
    hasNews = true;
    return true;
  }

  function readOld(id: string, sequence: number): void {
    if (!due.delete(id)) return note('duplicate', { eventId: id }, sequence);
    const place = stream.places.get(id) ?? 0;
    if (hasNews || place < lastPlace) note('reordered', { eventId: id }, sequence);
    lastPlace = Math.max(lastPlace, place);
  }

  function readMessage(message: Message, evidence: { eventId?: string }, sequence: number): void {
    const { asked: requests } = stream;
    if (message.kind === 'result' || message.kind === 'error') {
      const { id } = message;
      if (id === null) return;
      const isOwn = requests?.some(({ rpcId }) => rpcId === id) ?? false;
      if (!isOwn) return note('foreign', { ...evidence, rpcId: id }, sequence);
      if (answered.has(id)) note('duplicate', { ...evidence, rpcId: id }, sequence);
      answered.add(id);
    } else if (message.method === 'notifications/progress' && requests !== undefined) {
      const token = isRecord(message.params) ? message.params['progressToken'] : undefined;
      const isOwn = requests.some(({ progressToken }) => progressToken === JSON.stringify(token));
      if (!isOwn) return note('foreign', { ...evidence, rpcId: JSON.stringify(token) }, sequence);
    }
    if (evidence.eventId !== undefined) readCount(evidence.eventId, sequence);
  }

  /** Where a server counts its events, the count tells what is missing. */
  function readCount(id: string, sequence: number): void {
    const step = counting.next(id);
    if (step.isBackwards) note('reordered', { eventId: id }, sequence);
    for (const missing of step.missing) passedOver.add(missing);
  }

  function gap(): LabFinding[] {
    // As long as nothing newer has come, what was asked for again may be still to come.
    const isDueOver = hasNews || record.end !== undefined;
    const missing = [
      ...(isDueOver ? due : []),
      ...[...passedOver].filter((id) => log.homeOf(id) === undefined),
    ];
    if (missing.length === 0) return [];
    return [{ fault: 'gap', eventIds: missing.slice(0, NAMED), rpcIds: [], count: missing.length }];
  }

  return {
    read() {
      for (const event of record.stream.slice(seen)) {
        if (event.kind === 'sse-event') readEvent(event);
      }
      seen = record.stream.length;
    },
    get findings() {
      const all = [...found.values(), ...gap()];
      return all.toSorted((a, b) => GRAVITY.indexOf(a.fault) - GRAVITY.indexOf(b.fault));
    },
    get eventCount() {
      return eventCount;
    },
  };
}

function messagesIn(payload: Payload): Message[] {
  if (payload.kind === 'batch') return payload.items.flatMap(messagesIn);
  return payload.kind === 'message' ? [payload.message] : [];
}
