import { AppError, type Problem } from '../../lib/errors.ts';
import type { HttpCall, HttpDoor, HttpReply } from '../../lib/transport/exchange/http-door.ts';

const utf8 = new TextEncoder();

/** One request that reached the network, for the test to answer. */
export interface ScriptedCall {
  call: HttpCall;
  /** The JSON-RPC message that was sent; an empty object where there is none. */
  message: { id?: unknown; method?: string; params?: Record<string, unknown> };
  header(name: string): string | undefined;
  /** Answers the head; the body stays open. */
  head(status: number, headers?: Record<string, string>): Body;
  /** Answers with a whole body. */
  answer(status: number, type?: string, body?: string, headers?: Record<string, string>): void;
  /** Answers the request with a JSON-RPC result. */
  result(value: unknown, headers?: Record<string, string>): void;
  redirect(status: number, location: string): void;
  fail(problem: Problem): void;
}

export interface Body {
  write(text: string): void;
  event(message: unknown, id?: string): void;
  end(): void;
  break(errorName: string): void;
}

export interface ScriptedDoor {
  door: HttpDoor;
  /** Every request, in order. */
  calls: ScriptedCall[];
  /** The n-th request, from 1, once it was made. */
  call(count: number): Promise<ScriptedCall>;
  /** The first request with this JSON-RPC or HTTP method that no earlier call of this function returned. */
  next(method: string): Promise<ScriptedCall>;
}

/** A way to a network where the test is the server. Ends with the signal's reason, as fetch does. */
export function createScriptedDoor(options: { canBrake?: boolean } = {}): ScriptedDoor {
  const calls: ScriptedCall[] = [];
  const taken = new Set<ScriptedCall>();
  const door: HttpDoor = {
    canBrake: options.canBrake ?? true,
    send(call) {
      const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
      if (call.signal.aborted) reject(call.signal.reason as Error);
      call.signal.addEventListener('abort', () => reject(call.signal.reason as Error));
      calls.push(scripted(call, resolve, reject));
      return promise;
    },
    bodyError: (_httpId, error) => Promise.resolve((error as Error).message),
  };
  return {
    door,
    calls,
    call: (count) => until(() => calls[count - 1]),
    async next(method) {
      const found = await until(() =>
        calls.find(
          (call) =>
            !taken.has(call) && (call.message.method === method || call.call.method === method),
        ),
      );
      taken.add(found);
      return found;
    },
  };
}

/** Asks again after each turn of the event loop, in which no faked clock moves. */
async function until<T>(found: () => T | undefined): Promise<T> {
  for (let turn = 0; turn < 1000; turn += 1) {
    const value = found();
    if (value !== undefined) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('This request was never made.');
}

function scripted(
  call: HttpCall,
  resolve: (reply: HttpReply) => void,
  reject: (error: Error) => void,
): ScriptedCall {
  const text = call.body === undefined ? '{}' : new TextDecoder().decode(call.body);
  const message = JSON.parse(text) as ScriptedCall['message'];

  function head(status: number, headers: Record<string, string> = {}): Body {
    const { stream, body } = openBody(call.signal);
    const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
    resolve({ head: { status, statusText: '', headers: list }, body: stream.getReader() });
    return body;
  }

  function answer(
    status: number,
    type?: string,
    body = '',
    headers: Record<string, string> = {},
  ): void {
    const opened = head(status, {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...headers,
    });
    if (body !== '') opened.write(body);
    opened.end();
  }

  return {
    call,
    message,
    header: (name) =>
      call.headers.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value,
    head,
    answer,
    result: (value, headers) =>
      answer(
        200,
        'application/json',
        JSON.stringify({ jsonrpc: '2.0', id: message.id, result: value }),
        headers,
      ),
    redirect(status, location) {
      const target = new URL(location, call.url).href;
      const headers = [{ name: 'location', value: location }];
      resolve({
        head: { status, statusText: '', headers },
        redirect: { location, target },
        body: undefined,
      });
    },
    fail: (problem) => reject(new AppError(problem)),
  };
}

function openBody(signal: AbortSignal) {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  let isOpen = true;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(opened) {
      controller = opened;
    },
    cancel() {
      isOpen = false;
    },
  });
  const close = (act: () => void) => {
    if (isOpen) act();
    isOpen = false;
  };
  signal.addEventListener('abort', () => close(() => controller.error(signal.reason)));
  const body: Body = {
    write(text) {
      if (isOpen) controller.enqueue(utf8.encode(text));
    },
    event: (message, id) =>
      body.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`),
    end: () => close(() => controller.close()),
    break: (errorName) => close(() => controller.error(new Error(errorName))),
  };
  return { stream, body };
}

export const EVENT_STREAM = { 'content-type': 'text/event-stream' };

export const INITIALIZE_RESULT = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  serverInfo: { name: 'scripted', version: '1.2.3' },
};
