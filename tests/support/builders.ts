import { createRecorder, type Recorder, type RecorderOptions } from '../../lib/capture/recorder.ts';
import { openSecrets, type HeldSecrets, type Secrets } from '../../lib/capture/secrets.ts';
import type { Header } from '../../lib/capture/store/stored-text.ts';
import type {
  Block,
  HttpEnd,
  Purpose,
  RequestLinks,
  WireEvent,
  WireFact,
} from '../../lib/capture/wire-event.ts';
import { createSseReader, type SseReader } from '../../lib/transport/sse/sse-reader.ts';

const utf8 = new TextEncoder();
const START = Date.UTC(2026, 10, 30, 9);
export const ENDPOINT = 'http://127.0.0.1:3001/mcp';

/** An event with defaults; a test states only what matters to it. */
export function wireEvent(
  sequence: number,
  fact?: WireFact,
  stamp?: Partial<WireEvent>,
): WireEvent {
  return {
    sequence,
    captureId: 'capture',
    bootId: 'boot',
    wallTime: START + sequence,
    monotonicTime: sequence,
    ...(fact ?? { kind: 'wake' }),
    ...stamp,
  } as WireEvent;
}

/** A run of consecutive events without meaning. */
export function wireEvents(from: number, to: number): WireEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => wireEvent(from + index));
}

/** A chunk of `sizeBytes`, all of the same byte. */
export function chunkFact(sizeBytes: number, httpId = 'h1', offset = 0): WireFact {
  return {
    kind: 'http-chunk',
    httpId,
    offset,
    data: { bytes: new Uint8Array(sizeBytes).fill(46) },
  };
}

/** Secrets that only this test holds. */
export function testSecrets(held?: HeldSecrets): Promise<Secrets> {
  return openSecrets({ load: () => Promise.resolve(held), save: () => undefined });
}

export interface TestRecorder {
  recorder: Recorder;
  secrets: Secrets;
  blocks: Block[];
  /** Every call of `committed`. */
  batches: { events: WireEvent[]; isStored: boolean }[];
}

/** A recorder over a list in memory, or over the given store. */
export async function startRecorder(options: Partial<RecorderOptions> = {}): Promise<TestRecorder> {
  const blocks: Block[] = [];
  const batches: TestRecorder['batches'] = [];
  const secrets = options.secrets ?? (await testSecrets());
  const recorder = createRecorder({
    store: { append: (added) => Promise.resolve(void blocks.push(...structuredClone(added))) },
    captureId: 'capture',
    bootId: 'boot',
    lastSequence: 0,
    nextTurn: () => Promise.resolve(),
    committed: (events, isStored) => void batches.push({ events, isStored }),
    ...options,
    secrets,
  });
  return { recorder, secrets, blocks, batches };
}

export interface ExchangeOptions {
  purpose?: Purpose;
  method?: string;
  url?: string;
  headers?: Header[];
  links?: RequestLinks;
}

/** Writes the log of one or more connections by hand, in the order in which a transport would. */
export class LogBuilder {
  readonly events: WireEvent[] = [];
  connectionId: string;
  bootId = 'boot';
  readonly #offsets = new Map<string, number>();
  readonly #readers = new Map<string, SseReader>();
  #exchanges = 0;

  constructor(connectionId = 'c1') {
    this.connectionId = connectionId;
  }

  add(fact: WireFact): WireEvent {
    const { connectionId, bootId } = this;
    const event = wireEvent(this.events.length + 1, fact, { connectionId, bootId });
    this.events.push(event);
    return event;
  }

  opened(url = ENDPOINT): void {
    this.add({
      kind: 'connection-opened',
      profile: {
        url: { text: url },
        transport: 'streamable-http',
        headers: [],
        originPolicy: { kind: 'none' },
        messageLimitBytes: 1024 * 1024,
        reconnection: { initialDelayMs: 1000, maxDelayMs: 30_000, factor: 1.5, retries: 2 },
      },
    });
  }

  /** Begins an exchange; a string is sent as it is, anything else as JSON. Returns its id. */
  request(body?: unknown, options: ExchangeOptions = {}): string {
    this.#exchanges += 1;
    const httpId = `${this.connectionId}-h${this.#exchanges}`;
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    this.add({
      kind: 'http-request',
      httpId,
      purpose: options.purpose ?? 'message',
      method: options.method ?? 'POST',
      url: { text: options.url ?? ENDPOINT },
      headers: options.headers ?? [],
      ...(text === undefined ? {} : { body: { bytes: utf8.encode(text) } }),
      links: options.links ?? {},
    });
    return httpId;
  }

  /** Sends a JSON-RPC request. `id` is raw JSON text. */
  call(id: string, method = 'tools/list', params?: unknown, options?: ExchangeOptions): string {
    const tail = params === undefined ? '' : `,"params":${JSON.stringify(params)}`;
    return this.request(`{"jsonrpc":"2.0","id":${id},"method":"${method}"${tail}}`, options);
  }

  /** Opens the GET stream and answers its head. */
  stream(status = 200, type: string | null = 'text/event-stream'): string {
    const httpId = this.request(undefined, { purpose: 'stream', method: 'GET' });
    this.head(httpId, status, type);
    return httpId;
  }

  head(httpId: string, status = 200, type: string | null = 'application/json'): void {
    const headers = type === null ? [] : [{ name: 'content-type', value: type }];
    this.add({ kind: 'http-response', httpId, status, statusText: '', headers });
  }

  chunk(httpId: string, data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? utf8.encode(data) : data;
    const offset = this.#offsets.get(httpId) ?? 0;
    this.#offsets.set(httpId, offset + bytes.length);
    this.add({ kind: 'http-chunk', httpId, offset, data: { bytes } });
  }

  /** A chunk of an SSE stream, with the events that the reader finds in it. */
  sse(httpId: string, text: string): void {
    this.chunk(httpId, text);
    this.#reader(httpId).push(utf8.encode(text));
  }

  /** One message as one SSE event. */
  message(httpId: string, message: unknown, id?: string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.sse(httpId, `${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`);
  }

  end(httpId: string, end: Partial<HttpEnd> = {}): void {
    this.#readers.get(httpId)?.end();
    const sizeBytes = this.#offsets.get(httpId) ?? 0;
    this.add({
      kind: 'http-end',
      httpId,
      end: { outcome: 'complete', sizeBytes, ...end } as HttpEnd,
    });
  }

  /** A whole answer: head, body, end. */
  answer(
    httpId: string,
    body: unknown,
    status = 200,
    type: string | null = 'application/json',
  ): void {
    this.head(httpId, status, type);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (text !== '') this.chunk(httpId, text);
    this.end(httpId);
  }

  /** The worker starts again: another life, in which nothing of the old one is open. */
  restart(bootId: string): void {
    this.bootId = bootId;
    this.events.push(
      wireEvent(this.events.length + 1, { kind: 'worker-started', cause: 'wake' }, { bootId }),
    );
  }

  #reader(httpId: string): SseReader {
    const known = this.#readers.get(httpId);
    if (known !== undefined) return known;
    const reader = createSseReader(
      {
        event: ({ text: _text, ...event }) =>
          void this.add({ kind: 'sse-event', httpId, ...event }),
        comment: (line) => void this.add({ kind: 'sse-comment', httpId, line }),
        retry: (line, retryMs) => void this.add({ kind: 'sse-retry', httpId, line, retryMs }),
        ignored: (line, reason) => void this.add({ kind: 'sse-ignored', httpId, line, reason }),
        discarded: (tail) => void this.add({ kind: 'sse-discarded', httpId, tail }),
      },
      { limitBytes: 1024 * 1024, onLimit: () => undefined },
    );
    this.#readers.set(httpId, reader);
    return reader;
  }
}
