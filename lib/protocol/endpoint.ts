import type { Problem } from '../errors.ts';

/** What became of the data of an `endpoint` event. */
export type EndpointVerdict =
  | { kind: 'accepted'; url: string }
  | { kind: 'refused'; url?: string; problem: Problem };

const WILDCARD_HOSTS = new Set(['0.0.0.0', '[::]']);

/**
 * Resolves what an HTTP+SSE server announced against the configured URL, and accepts only the same origin:
 * whatever goes there carries the user's credentials. There is no way around a refusal.
 */
export function judgeEndpoint(announced: string, configuredUrl: string): EndpointVerdict {
  const configured = new URL(configuredUrl);
  if (announced.trim() === '' || !URL.canParse(announced, configured)) {
    return {
      kind: 'refused',
      problem: {
        code: 'endpoint-invalid',
        message: `The server announced “${announced}” as the place for messages, which is no URL.`,
        advice: 'Its `endpoint` event should hold a path, for example /messages?sessionId=1.',
      },
    };
  }
  const url = new URL(announced, configured);
  if (url.username !== '' || url.password !== '') return refuse(url, configured, USERINFO);
  // A blob: URL has the origin of the page that made it, but leads nowhere.
  if (url.origin === configured.origin && url.protocol === configured.protocol) {
    url.hash = '';
    return { kind: 'accepted', url: url.href };
  }
  return refuse(url, configured, adviceFor(url, configured));
}

const USERINFO = 'It also holds a user name or password, which no server should announce.';

function refuse(url: URL, configured: URL, advice: string): EndpointVerdict {
  const announced = url.origin === 'null' ? url.protocol : url.origin;
  return {
    kind: 'refused',
    url: url.href,
    problem: {
      code: 'endpoint-refused',
      message: `The server announced an endpoint at ${announced}, but you connected to ${configured.origin}. Nothing was sent there: messages carry your credentials, and only the origin that you chose may have them.`,
      advice,
      detail: url.href,
    },
  };
}

function adviceFor(url: URL, configured: URL): string {
  if (WILDCARD_HOSTS.has(url.hostname)) {
    return `${url.hostname} is the address that the server listens on, not one to reach it by: it does not know its public URL. Configure its public URL, or let it announce only a path.`;
  }
  const isInner = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\])/.test(
    url.hostname,
  );
  if (isInner || url.hostname === configured.hostname) {
    return 'The server probably stands behind a proxy and announces its inner address. Configure its public URL, or let it announce only a path.';
  }
  return 'If the server is yours, let it announce only a path. If not, it may be trying to get your credentials.';
}
