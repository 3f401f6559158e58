import { AppError, type Problem } from '../../errors.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type {
  HttpCall,
  HttpDoor,
  HttpObserver,
  HttpReply,
} from '../../transport/exchange/http-door.ts';
import { readInPieces } from '../../transport/exchange/read-pieces.ts';
import { hasHost, hostPattern } from '../permissions.ts';
import { loadLate } from './late-script.ts';
import { openRequestLog, type LoggedCall } from './request-log.ts';

/**
 * The browser's fetch, with what webRequest tells beside it. Registers listeners: call in the first tick of
 * the worker.
 */
export function openHttpDoor(): HttpDoor {
  const log = openRequestLog();
  // Firefox reads on into memory whatever a page does; there only ending the stream helps.
  const canBrake = !import.meta.env.FIREFOX;

  async function send(call: HttpCall, observer: HttpObserver): Promise<HttpReply> {
    const logged = log.watch(call.httpId, observer);
    let response: Response;
    try {
      response = await fetch(log.mark(call.url, call.httpId), requestInit(call));
    } catch (error) {
      call.signal.throwIfAborted();
      await logged.settled();
      // Chrome rejects a redirect to a scheme that it does not follow; its head is known all the same.
      if (isRedirect(logged)) return redirectReply(call.url, logged);
      throw await failure(call.url, logged, error);
    }
    if (response.type === 'opaqueredirect') {
      await logged.settled();
      return redirectReply(call.url, logged);
    }
    return {
      head: {
        status: response.status,
        statusText: response.statusText,
        headers: [...response.headers].map(([name, value]) => ({ name, value })),
      },
      body: readerOf(response.body),
    };
  }

  function readerOf(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): HttpReply['body'] {
    if (body === null) return undefined;
    return canBrake ? body.getReader() : readInPieces(body);
  }

  return {
    canBrake,
    send,
    async bodyError(httpId, error) {
      const logged = log.find(httpId);
      await logged?.failed();
      return logged?.errorName ?? String(error);
    },
  };
}

function requestInit(call: HttpCall): RequestInit {
  return {
    method: call.method,
    headers: call.headers.map(({ name, value }): [string, string] => [name, value]),
    signal: call.signal,
    // POST is never cached and needs no header for it; a GET would be.
    cache: call.method === 'GET' ? 'no-store' : 'default',
    credentials: call.cookies === true ? 'include' : 'omit',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    ...(call.body === undefined ? {} : { body: call.body }),
  };
}

function isRedirect(logged: LoggedCall): boolean {
  const status = logged.head?.status ?? 0;
  return status >= 300 && status < 400;
}

function redirectReply(url: string, logged: LoggedCall): HttpReply {
  const { head } = logged;
  if (head === undefined) {
    // Without host permission nobody is told where a redirect leads.
    return { head: { status: 302, statusText: '', headers: [] }, body: undefined };
  }
  const statusText = /^\S+ \d+ ?(.*)$/.exec(head.statusLine)?.[1] ?? '';
  const reply: HttpReply = {
    head: { status: head.status, statusText, headers: lowerCased(head.headers) },
    body: undefined,
  };
  const location = head.headers.find(({ name }) => name.toLowerCase() === 'location')?.value;
  if (location === undefined) return reply;
  const target = URL.canParse(location, url) ? new URL(location, url).href : location;
  return { ...reply, redirect: { location, target } };
}

/** As fetch gives headers; the log has them in their own case besides. */
function lowerCased(headers: Header[]): Header[] {
  return headers.map(({ name, value }) => ({ name: name.toLowerCase(), value }));
}

async function failure(url: string, logged: LoggedCall, cause: unknown): Promise<AppError> {
  const pattern = hostPattern(url);
  if (logged.errorName === undefined && pattern !== undefined && !(await hasHost(pattern))) {
    return new AppError(
      {
        code: 'permission-revoked',
        message: `Wirescope has no access to ${pattern}, so the browser let no answer through.`,
        advice: 'Connect again to be asked for it.',
      },
      { cause },
    );
  }
  return new AppError(await networkProblem(logged.errorName, url), { cause });
}

async function networkProblem(errorName: string | undefined, url: string): Promise<Problem> {
  try {
    const late = await loadLate('report');
    return late.networkProblem(errorName, url);
  } catch {
    // It is a failure of the network all the same, if without words for its cause.
    const detail = errorName === undefined ? {} : { detail: errorName };
    return { code: 'network-failed', message: 'The request got no answer.', ...detail };
  }
}
