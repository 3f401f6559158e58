import type { Correlation } from '../../capture/correlate/correlate.ts';
import { headerValue, messageText } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, RpcId } from '../../capture/correlate/items.ts';
import { essence } from '../../protocol/diagnose.ts';
import { classifyPayload, type Payload } from '../../protocol/jsonrpc.ts';
import { isRecord } from '../../record.ts';

export type LabSource = Pick<Correlation, 'items' | 'https'>;

/** A stream over all the exchanges that have carried it. */
export interface LabStream {
  /** `httpId` of the first exchange. */
  rootId: string;
  /** In order; the last one is open, or the stream is over. A GET that was refused is among them. */
  exchanges: HttpRecord[];
  /** Our requests that it answers; undefined for the standalone GET stream. */
  asked: AskedRequest[] | undefined;
  /** Ids of the events that it brought, each once, in the order in which they came. */
  ids: string[];
  /** Place of an id among them. */
  places: Map<string, number>;
}

export interface AskedRequest {
  rpcId: RpcId;
  method: string;
  /** As JSON text. */
  progressToken?: string;
}

/** Where an event id came first. */
export interface EventHome {
  stream: LabStream;
  sequence: number;
}

/** The streams of one connection, read out of the log. */
export interface LabLog {
  readonly streams: readonly LabStream[];
  homeOf(eventId: string): EventHome | undefined;
  /** Reads what is new; how the log is cut into batches makes no difference. */
  refresh(): void;
}

/** Follows the streams of a connection over the exchanges that carry them. */
export function createLabLog(connectionId: string, { https }: LabSource): LabLog {
  const streams: LabStream[] = [];
  const homes = new Map<string, EventHome>();
  const byExchange = new Map<string, LabStream>();
  const read = new Map<HttpRecord, number>();
  const entries = https.values();
  let count = 0;
  /** POSTs whose head is not there yet. */
  let unanswered = new Set<HttpRecord>();

  function take(record: HttpRecord): void {
    if (record.connectionId !== connectionId) return;
    const { purpose } = record.request;
    if (purpose === 'stream') place(record);
    else if (purpose === 'message') unanswered.add(record);
  }

  function place(record: HttpRecord): void {
    if (byExchange.has(record.httpId)) return;
    const { links, purpose } = record.request;
    const before = links.causedBy === undefined ? undefined : streamOf(links.causedBy);
    const stream: LabStream = before ?? {
      rootId: record.httpId,
      exchanges: [],
      asked: purpose === 'message' ? askedBy(record) : undefined,
      ids: [],
      places: new Map(),
    };
    if (before === undefined) streams.push(stream);
    stream.exchanges.push(record);
    byExchange.set(record.httpId, stream);
    read.set(record, 0);
  }

  /** What a GET goes on for was asked before it, but its head may not have been looked at yet. */
  function streamOf(httpId: string): LabStream | undefined {
    const record = https.get(httpId);
    if (record !== undefined && isEventStream(record)) place(record);
    return byExchange.get(httpId);
  }

  function readEvents(record: HttpRecord, from: number): void {
    const stream = byExchange.get(record.httpId);
    if (stream === undefined) return;
    for (const event of record.stream.slice(from)) {
      if (event.kind !== 'sse-event' || event.id === undefined || event.id === '') continue;
      const { id, sequence } = event;
      const home = homes.get(id);
      if (home === undefined || sequence < home.sequence) homes.set(id, { stream, sequence });
      if (stream.places.has(id)) continue;
      stream.places.set(id, stream.ids.length);
      stream.ids.push(id);
    }
    read.set(record, record.stream.length);
  }

  return {
    streams,
    homeOf: (eventId) => homes.get(eventId),
    refresh() {
      for (; count < https.size; count += 1) {
        const { value } = entries.next();
        if (value !== undefined) take(value);
      }
      const waiting = unanswered;
      unanswered = new Set();
      for (const record of waiting) {
        if (isEventStream(record)) place(record);
        else if (record.end === undefined && record.response === undefined) unanswered.add(record);
      }
      for (const [record, from] of read) {
        if (record.stream.length > from) readEvents(record, from);
        else if (record.end !== undefined) read.delete(record);
      }
    },
  };

  function askedBy(record: HttpRecord): AskedRequest[] {
    const text = messageText(https, { in: 'request', httpId: record.httpId }) ?? '';
    return requestsIn(classifyPayload(text));
  }
}

/** Whether an exchange was answered by an event stream. */
export function isEventStream({ response }: HttpRecord): boolean {
  if (response?.status !== 200) return false;
  return essence(headerValue(response.headers, 'content-type')) === 'text/event-stream';
}

function requestsIn(payload: Payload): AskedRequest[] {
  if (payload.kind === 'batch') return payload.items.flatMap(requestsIn);
  if (payload.kind !== 'message' || payload.message.kind !== 'request') return [];
  const { id: rpcId, method, params } = payload.message;
  const token = tokenIn(params);
  return [{ rpcId, method, ...(token === undefined ? {} : { progressToken: token }) }];
}

function tokenIn(params: unknown): string | undefined {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  const token = isRecord(meta) ? meta['progressToken'] : undefined;
  return token === undefined ? undefined : JSON.stringify(token);
}
