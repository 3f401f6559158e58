import type { AuthReply } from './auth-doors.ts';
import type { Chain } from './chain.ts';

/** What oauth4webapi hands to its fetch. */
interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: string | URLSearchParams | undefined;
}

/** The way to the network of one request, with the answer as it was recorded. */
export interface RecordedFetch {
  fetch(url: string, options: FetchOptions): Promise<Response>;
  /** The last answer. */
  reply(): AuthReply;
}

/**
 * A fetch for oauth4webapi that sends over the recorded way. `tidy` makes an answer one that the library reads;
 * the one that was recorded stays as it came.
 */
export function recordedFetch(
  chain: Chain,
  purpose: 'registration' | 'token' | 'revocation',
  tidy: (reply: AuthReply) => AuthReply = (reply) => reply,
): RecordedFetch {
  let last: AuthReply | undefined;
  return {
    async fetch(url, { headers, body }) {
      last = await chain.send({
        purpose,
        method: 'POST',
        url,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        ...(body === undefined ? {} : { body: String(body) }),
      });
      const { status, headers: answered, text } = tidy(last);
      const isBodyless = status < 200 || status === 204 || status === 205 || status === 304;
      return new Response(isBodyless ? null : text, {
        // The constructor takes no 1xx.
        status: status < 200 ? 502 : status,
        headers: answered.map(({ name, value }): [string, string] => [name, value]),
      });
    },
    reply() {
      if (last === undefined) throw new Error('nothing was sent');
      return last;
    },
  };
}
