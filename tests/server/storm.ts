import type { ServerResponse } from 'node:http';
import { openEventStream, resultText, startPlainLegacy, type PlainLegacy } from './plain-legacy.ts';

/** How often the server sends what is due, in milliseconds. */
const TICK_MS = 10;

export interface StormServer extends PlainLegacy {
  /** Sends notifications at an even rate over both streams; resolves when the last one is written. */
  notify(count: number, durationMs: number): Promise<void>;
  /** The same, and then answers the call. */
  rage(count: number, durationMs: number): Promise<void>;
  /** Ids of all events that were sent so far, those that only give a position included. */
  sent(): string[];
}

/** One stream as the standard wants it: it has a name, its events have ids, and whoever asks gets the rest. */
class Channel {
  readonly #name: string;
  readonly #events: string[] = [];
  readonly #readers = new Set<ServerResponse>();

  constructor(name: string) {
    this.#name = name;
  }

  get ids(): string[] {
    return this.#events.map((_event, index) => `${this.#name}-${index}`);
  }

  get lastId(): string {
    return `${this.#name}-${this.#events.length - 1}`;
  }

  send(data: string): void {
    const event = `id: ${this.#name}-${this.#events.length}\ndata: ${data}\n\n`;
    this.#events.push(event);
    for (const reader of this.#readers) reader.write(event);
  }

  /** Goes on after an event id; what came before that is not sent again. */
  join(reader: ServerResponse, lastEventId = this.lastId): void {
    const next = Number(lastEventId.slice(this.#name.length + 1)) + 1;
    reader.write(this.#events.slice(next).join(''));
    this.#readers.add(reader);
    reader.once('close', () => this.#readers.delete(reader));
  }

  end(): void {
    for (const reader of this.#readers) reader.end();
  }
}

/**
 * A server that resumes: a standalone stream, and the stream that answers the call of the tool `storm`. Each
 * begins with an event that only gives a position.
 */
export async function startStorm(): Promise<StormServer> {
  const standalone = new Channel('g');
  const answer = new Channel('c');
  let callId: unknown;
  const server = await startPlainLegacy({
    stream(response, lastEventId) {
      if (lastEventId?.startsWith('c-') === true) return answer.join(response, lastEventId);
      if (lastEventId === undefined && standalone.ids.length === 0) {
        standalone.join(response);
        standalone.send('');
        return;
      }
      standalone.join(response, lastEventId);
    },
    call(message, response) {
      callId = message.id;
      openEventStream(response);
      answer.join(response);
      answer.send('');
    },
  });
  async function notify(count: number, durationMs: number): Promise<void> {
    const start = performance.now();
    let sent = 0;
    while (sent < count) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      const share = Math.min(1, (performance.now() - start) / durationMs);
      for (; sent < Math.floor(share * count); sent += 1) {
        (sent % 2 === 0 ? standalone : answer).send(notificationText(sent));
      }
    }
  }

  return {
    ...server,
    sent: () => [...standalone.ids, ...answer.ids],
    notify,
    async rage(count, durationMs) {
      await notify(count, durationMs);
      answer.send(resultText(callId, { content: [{ type: 'text', text: 'It is over.' }] }));
      answer.end();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function notificationText(number: number): string {
  const params = { level: 'info', logger: 'storm', data: `number ${number}` };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
}
