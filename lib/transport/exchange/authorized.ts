import type { HttpEnd, RequestLinks } from '../../capture/wire-event.ts';
import type { Authorizer } from './authorizer.ts';
import type { Exchange, ExchangeContext, ExchangeRequest } from './exchange.ts';
import type { HttpHead } from './http-door.ts';
import { hasOwnCredentials, openExchange } from './open-exchange.ts';
import type { OutgoingMessage } from '../transport.ts';

/** One with the nonce that a server asks for (RFC 9449, 9), before and after the repeat that was authorized. */
const NONCE_REPEATS = 2;
/** Enough of a refusal to say what it is, in bytes; and how long it may take, in milliseconds. */
const REFUSAL_BYTES = 64 * 1024;
const REFUSAL_MS = 1000;

/**
 * Opens an exchange with the MCP server. An answer that asks for authorization leads to at most one repeat
 * that is authorized anew: no server can make a loop of it. Rejects where authorization was tried in vain.
 */
export function openAuthorized(
  context: ExchangeContext,
  request: ExchangeRequest,
): Promise<Exchange> {
  const { authorizer } = context;
  return authorizer === undefined || hasOwnCredentials(request.headers)
    ? openExchange(context, request)
    : openChallenged(context, request, authorizer);
}

async function openChallenged(
  context: ExchangeContext,
  request: ExchangeRequest,
  authorizer: Authorizer,
): Promise<Exchange> {
  let links = request.links ?? {};
  let isRepeat = false;
  let nonceRepeats = 0;
  for (let attempt = 2; ; attempt += 1) {
    const exchange = await openExchange(context, { ...request, links });
    const { httpId, head, origin } = exchange;
    const { url, headers } = exchange.request;
    const isInjected = origin?.kind === 'injected';
    authorizer.heard?.(url, head);
    if (!asksForAuthorization(head)) return exchange;
    // Its connection is not kept while somebody is asked.
    const read = readRefusal(exchange);
    request.held?.(true);
    let repeat: RequestLinks | undefined;
    try {
      const { signal } = request;
      const answer = { httpId, url, head, headers, isRepeat, isInjected, signal };
      repeat = await authorizer.challenged(answer);
    } finally {
      request.held?.(false);
      await read;
    }
    const refused = await read;
    if (repeat === undefined) return refused;
    if (repeat.reason === 'nonce' ? nonceRepeats === NONCE_REPEATS : isRepeat) return refused;
    if (repeat.reason === 'nonce') nonceRepeats += 1;
    else isRepeat = true;
    links = { ...request.links, ...repeat, retryOf: httpId, attempt };
  }
}

/** The request that carries a message, with what it hangs together with. */
export function carrying(
  request: ExchangeRequest,
  { links, started, held }: OutgoingMessage,
): ExchangeRequest {
  if (links !== undefined) request.links = links;
  if (started !== undefined) request.started = started;
  if (held !== undefined) request.held = held;
  return request;
}

/** A 403 counts only where it says so (RFC 6750, 3.1): every other one is an answer that stands. */
function asksForAuthorization({ status, headers }: HttpHead): boolean {
  if (status === 401) return true;
  return (
    status === 403 &&
    headers.some(
      ({ name, value }) =>
        name.toLowerCase() === 'www-authenticate' &&
        /error\s*=\s*"?insufficient_scope/i.test(value),
    )
  );
}

/** Reads the body of an answer that may not be the last one; it can be read from the result once more. */
async function readRefusal(exchange: Exchange): Promise<Exchange> {
  const chunks: [chunk: Uint8Array, offset: number][] = [];
  const timer = setTimeout(() => exchange.stop('not-needed'), REFUSAL_MS);
  const end: HttpEnd = await exchange.read((chunk, offset) => {
    chunks.push([chunk, offset]);
    return offset + chunk.length > REFUSAL_BYTES ? 'not-needed' : undefined;
  });
  clearTimeout(timer);
  return {
    ...exchange,
    stop: () => undefined,
    read(take, beforeEnd) {
      for (const [chunk, offset] of chunks) take(chunk, offset);
      beforeEnd?.();
      return Promise.resolve(end);
    },
  };
}
