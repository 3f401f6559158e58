import { AppError } from '../../lib/errors.ts';
import type { HttpCall, HttpDoor, HttpHead } from '../../lib/transport/exchange/http-door.ts';
import { networkProblem } from '../../lib/transport/network-problem.ts';

/** Node's fetch as a door: what the transports meet real servers with, without a browser. */
export function createNodeHttpDoor(): HttpDoor {
  return {
    canBrake: true,
    async send(call) {
      let response: Response;
      try {
        response = await fetch(call.url, requestInit(call));
      } catch (error) {
        call.signal.throwIfAborted();
        throw new AppError(networkProblem(errorName(error), call.url), { cause: error });
      }
      const headers: HttpHead['headers'] = [];
      for (const [name, value] of response.headers) headers.push({ name, value });
      const { status, statusText } = response;
      const head = { status, statusText, headers };
      const isRedirect = status >= 300 && status < 400;
      const location = isRedirect ? response.headers.get('location') : null;
      if (location !== null) {
        await response.body?.cancel();
        const target = URL.canParse(location, call.url)
          ? new URL(location, call.url).href
          : location;
        return { head, redirect: { location, target }, body: undefined };
      }
      return { head, body: response.body?.getReader() };
    },
    bodyError: (_httpId, error) => Promise.resolve(errorName(error)),
  };
}

function requestInit({ method, headers, signal, body }: HttpCall): RequestInit {
  const init: RequestInit = {
    method,
    headers: headers.map(({ name, value }): [string, string] => [name, value]),
    signal,
    redirect: 'manual',
  };
  if (body !== undefined) init.body = body;
  return init;
}

/** Node hides the name of a failure in the cause of the cause. */
function errorName(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return String(error);
}
