import type { Header } from '../../../lib/capture/store/stored-text.ts';
import type { WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';

const START = Date.UTC(2026, 10, 30, 9, 0, 0);
const encoder = new TextEncoder();

/** Bytes of a text, as they would lie in the log. */
function stored(text: string): { bytes: Uint8Array } {
  return { bytes: encoder.encode(text) };
}

/** A log that is written by hand, with a clock that only moves when told to. */
export class LogBuilder {
  readonly events: WireEvent[] = [];
  connectionId = 'c1';
  bootId = 'boot-1';
  #now = 0;
  #exchanges = 0;
  #taken = 0;

  wait(ms: number): this {
    this.#now += ms;
    return this;
  }

  add(fact: WireFact): this {
    this.events.push({
      sequence: this.events.length + 1,
      captureId: 'capture-1',
      bootId: this.bootId,
      wallTime: START + this.#now,
      monotonicTime: this.#now,
      connectionId: this.connectionId,
      ...fact,
    });
    return this;
  }

  /** Events since the last call: one batch of a feed. */
  take(): WireEvent[] {
    const batch = this.events.slice(this.#taken);
    this.#taken = this.events.length;
    return batch;
  }

  opened(url = 'http://127.0.0.1:3001/mcp'): this {
    return this.add({
      kind: 'connection-opened',
      profile: {
        url: { text: url },
        transport: 'streamable-http',
        headers: [],
        originPolicy: { kind: 'none' },
        messageLimitBytes: 1024,
        reconnection: { initialDelayMs: 1000, maxDelayMs: 30_000, factor: 1.5, retries: 2 },
      },
    });
  }

  /** Sends a message as a POST; returns the id of its exchange. */
  request(body: string, headers: Header[] = [], replayOf?: number): string {
    this.#exchanges += 1;
    const httpId = `h${this.#exchanges}`;
    this.add({
      kind: 'http-request',
      httpId,
      purpose: 'message',
      method: 'POST',
      url: { text: 'http://127.0.0.1:3001/mcp' },
      headers: [{ name: 'Content-Type', value: 'application/json' }, ...headers],
      body: stored(body),
      links: replayOf === undefined ? {} : { replayOf },
    });
    return httpId;
  }

  /** Opens the standalone GET stream; returns the id of its exchange. */
  stream(): string {
    this.#exchanges += 1;
    const httpId = `h${this.#exchanges}`;
    this.add({
      kind: 'http-request',
      httpId,
      purpose: 'stream',
      method: 'GET',
      url: { text: 'http://127.0.0.1:3001/mcp' },
      headers: [{ name: 'Accept', value: 'text/event-stream' }],
      links: {},
    });
    return httpId;
  }

  head(httpId: string, status: number, contentType: string): this {
    const headers = [{ name: 'content-type', value: contentType }];
    return this.add({ kind: 'http-response', httpId, status, statusText: '', headers });
  }

  chunk(httpId: string, offset: number, text: string): this {
    return this.add({ kind: 'http-chunk', httpId, offset, data: stored(text) });
  }

  end(httpId: string, sizeBytes: number): this {
    return this.add({ kind: 'http-end', httpId, end: { outcome: 'complete', sizeBytes } });
  }

  /** Answers an exchange with one JSON body. */
  answer(httpId: string, body: string, status = 200): this {
    return this.head(httpId, status, 'application/json')
      .chunk(httpId, 0, body)
      .end(httpId, body.length);
  }

  /** One SSE block at `offset` of a body, with the data as its last line; returns the offset behind it. */
  sseEvent(httpId: string, offset: number, data: string, id?: string): number {
    const prefix = id === undefined ? 'data: ' : `id: ${id}\ndata: `;
    const block = `${prefix}${data}\n\n`;
    this.chunk(httpId, offset, block);
    this.add({
      kind: 'sse-event',
      httpId,
      block: { offset, length: block.length },
      ...(id === undefined ? {} : { id }),
      data: [{ offset: offset + prefix.length, length: data.length }],
    });
    return offset + block.length;
  }
}
