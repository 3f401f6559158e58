import { AppError, type Problem } from '../errors.ts';
import type { BackgroundFunctions, PageFunctions } from './contract.ts';
import { answerCall, createRemoteCalls, type RemoteAnswer, type RemoteCall } from './remote.ts';

/** The part of `runtime.Port` that is used here. */
export interface PortLike {
  postMessage(message: unknown): void;
  disconnect(): void;
  onMessage: { addListener(listener: (message: unknown) => void): void };
  onDisconnect: { addListener(listener: () => void): void };
}

/** Delays between attempts to reach the worker again, in milliseconds; the last one repeats. */
const RECONNECT_MS = [50, 200, 500, 1000, 2000];

/**
 * A call with more text than this is refused before the browser does it in words of its own: a character takes
 * up to three bytes, and the limit of Chrome is 64 MiB.
 */
const LONGEST_CALL = 20 * 1024 * 1024;

/** The page's end in the background: pushes to it, and answers its calls. */
export function serveBackground(port: PortLike, functions: BackgroundFunctions): PageFunctions {
  let isOpen = true;
  const post = (message: unknown) => port.postMessage(message);
  port.onMessage.addListener((call) => void answerCall(call as RemoteCall, functions, post));
  port.onDisconnect.addListener(() => {
    isOpen = false;
  });

  function tell(name: keyof PageFunctions, args: unknown[]): void {
    try {
      if (isOpen) post({ name, args });
    } catch {
      // A page that has just gone is no failure: its port tells, and it reads what it missed when it returns.
    }
  }

  return {
    events: (batch) => tell('events', [batch]),
    connections: (list) => tell('connections', [list]),
    queued: (...queue) => tell('queued', queue),
  };
}

export interface BackgroundLink {
  /** Calls the background; a call under way when the worker stops is rejected, later calls reach the new one. */
  readonly background: BackgroundFunctions;
  close(): void;
}

/** What a page is told about its link. */
export interface LinkState {
  connected(): void;
  lost(attempt: number): void;
  /** For good: this page belongs to an extension that is no longer there. */
  ended(problem: Problem): void;
}

/**
 * The background's end in a page: reconnects by itself whenever the worker went away, until `connect` throws
 * an `AppError` that says that there is nobody to connect to any more.
 */
export function linkBackground(
  connect: () => PortLike,
  functions: PageFunctions,
  state: LinkState,
): BackgroundLink {
  let port: PortLike | undefined;
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let hasEnded = false;

  const calls = createRemoteCalls(post);
  const background = new Proxy({} as BackgroundFunctions, {
    // Who is awaited is asked for this one.
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => reach(name, args)),
  });

  async function reach(name: string | symbol, args: unknown[]): Promise<unknown> {
    if (closed) throw new AppError(WORKER_GONE);
    // Told after every batch, and never answered.
    if (name === 'taken') return post({ name, args });
    return calls.call(String(name), args);
  }

  function post(message: unknown): void {
    if (hasEnded) throw new AppError(EXTENSION_REPLACED);
    if (textLength((message as { args?: unknown[] }).args) > LONGEST_CALL)
      throw new AppError(TOO_LONG);
    try {
      open()?.postMessage(message);
    } catch (error) {
      if (isReplaced(error)) end();
      // The browser may close a port some time before it says so.
      throw isReplaced(error) ? error : new AppError(WORKER_GONE, { cause: error });
    }
  }

  function open(): PortLike | undefined {
    if (port !== undefined || closed) return port;
    const opened = connect();
    port = opened;
    opened.onMessage.addListener((message) => {
      attempt = 0;
      const came = message as RemoteCall | RemoteAnswer;
      if ('name' in came) void answerCall(came, functions, post);
      else calls.settle(came);
    });
    opened.onDisconnect.addListener(() => {
      if (port === opened) lose();
    });
    return port;
  }

  function lose(): void {
    port = undefined;
    if (closed || hasEnded) return;
    calls.rejectAll(WORKER_GONE);
    attempt += 1;
    state.lost(attempt);
    clearTimeout(timer);
    timer = setTimeout(reconnect, RECONNECT_MS[Math.min(attempt, RECONNECT_MS.length) - 1]);
  }

  function reconnect(): void {
    try {
      open();
      state.connected();
    } catch (error) {
      if (isReplaced(error)) end();
      // The browser is not ready to start the worker; the next attempt may find it.
      else lose();
    }
  }

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    port = undefined;
    clearTimeout(timer);
    calls.rejectAll(EXTENSION_REPLACED);
    state.ended(EXTENSION_REPLACED);
  }

  reconnect();
  return {
    background,
    close() {
      closed = true;
      clearTimeout(timer);
      port?.disconnect();
      calls.rejectAll(WORKER_GONE);
    },
  };
}

const WORKER_GONE: Problem = {
  code: 'aborted',
  message: 'The browser stopped the background worker before it answered.',
  advice: 'It starts again by itself. Try once more.',
};

/** What happened to a page whose extension was updated, reloaded or removed. */
export const EXTENSION_REPLACED: Problem = {
  code: 'extension-replaced',
  message: 'Wirescope was updated or reloaded, and this page still belongs to the one before.',
  advice:
    'Close it and open it again; in DevTools, close DevTools itself. What was recorded is kept.',
};

const TOO_LONG: Problem = {
  code: 'body-limit',
  message: `The message is longer than the ${LONGEST_CALL / 1024 / 1024} Mi characters that a page can hand to the background.`,
  advice: 'Browsers let no message over 64 MiB through from a page of an extension.',
};

function isReplaced(error: unknown): error is AppError {
  return error instanceof AppError && error.problem.code === EXTENSION_REPLACED.code;
}

/** Length of the texts among the arguments of a call. */
function textLength(args: unknown[] | undefined): number {
  const texts = (args ?? []).flatMap((argument) =>
    typeof argument === 'object' && argument !== null ? Object.values(argument) : argument,
  );
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}
