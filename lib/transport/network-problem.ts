import type { ErrorCode, Problem } from '../errors.ts';

interface Cause {
  code: ErrorCode;
  /** Error names of Chrome (`net::ERR_…`), Firefox (`NS_ERROR_…`, `SEC_ERROR_…`) and Node (`E…`). */
  pattern: RegExp;
  message: (host: string) => string;
  advice: string;
}

const CAUSES: Cause[] = [
  {
    code: 'network-failed',
    pattern: /PROXY|TUNNEL/,
    message: (host) => `The proxy on the way to ${host} could not be used.`,
    advice: 'Check the proxy settings of the browser or of this machine.',
  },
  {
    code: 'network-refused',
    pattern: /CONNECTION_REFUSED|ECONNREFUSED|ADDRESS_UNREACHABLE|EHOSTUNREACH/,
    message: (host) => `Nothing accepts connections at ${host}.`,
    advice: 'Is the server running, and is the port right?',
  },
  {
    code: 'network-name-not-found',
    pattern: /NAME_NOT_RESOLVED|UNKNOWN_HOST|ENOTFOUND|EAI_AGAIN|NAME_RESOLUTION/,
    message: (host) => `The name ${host} was not found.`,
    advice: 'Check the spelling, and whether this machine is on the right network or VPN.',
  },
  {
    code: 'network-tls',
    pattern:
      /ERR_CERT|ERR_SSL|SEC_ERROR|SSL_ERROR|PKIX|CERT|certificate|self.signed|EPROTO|UNABLE_TO_/i,
    message: (host) => `The secure connection to ${host} could not be set up.`,
    advice:
      'Open the URL in a tab to see what the browser says of the certificate; or is this an http:// server?',
  },
  {
    code: 'network-offline',
    pattern: /INTERNET_DISCONNECTED|NS_ERROR_OFFLINE|ENETUNREACH|NETWORK_CHANGED/,
    message: (host) => `There is no network to reach ${host}.`,
    advice: 'Check the connection of this machine.',
  },
  {
    code: 'network-timeout',
    pattern: /TIMED_OUT|NET_TIMEOUT|ETIMEDOUT|(CONNECT|HEADERS|BODY)_TIMEOUT/,
    message: (host) => `${host} did not answer in time.`,
    advice: 'A firewall may drop the packets, or the machine is down.',
  },
  {
    code: 'network-blocked',
    pattern: /(LOCAL|PRIVATE)_NETWORK_ACCESS/,
    message: (host) => `The browser blocked access to the local network, where ${host} is.`,
    advice:
      'Allow Wirescope to reach the local network: in the site settings of the extension, or where the browser asks.',
  },
  {
    code: 'network-blocked',
    pattern: /UNSAFE_PORT|BLOCKED_BY|ERR_ACCESS_DENIED|PORT_ACCESS_NOT_ALLOWED|bad port/,
    message: (host) => `The browser blocked the request to ${host} before it left.`,
    advice:
      'The port may be one that browsers never connect to, or another extension or a policy blocks it.',
  },
  {
    code: 'network-reset',
    pattern:
      /RESET|EMPTY_RESPONSE|CONNECTION_CLOSED|INTERRUPT|ABORTED|UND_ERR_SOCKET|EPIPE|other side closed/,
    message: (host) => `${host} closed the connection without an answer.`,
    advice:
      'The server may have received the request, even more than once: browsers repeat by themselves when a kept connection drops.',
  },
  {
    code: 'network-failed',
    pattern: /INVALID_HTTP_RESPONSE|HPE_|INVALID_CHUNKED|PARTIAL_TRANSFER|CONTENT_LENGTH|UND_ERR/,
    message: (host) => `${host} answers, but not with valid HTTP.`,
    advice: 'Is another kind of program listening on this port?',
  },
];

/**
 * The problem behind a request that got no answer, by the platform's name for it; `undefined` as name means
 * that the platform told nothing.
 */
export function networkProblem(errorName: string | undefined, url: string): Problem {
  const host = URL.canParse(url) ? new URL(url).host : url;
  const cause = CAUSES.find(({ pattern }) => errorName !== undefined && pattern.test(errorName));
  if (cause !== undefined) {
    const { code, message, advice } = cause;
    return { code, message: message(host), advice, ...detailOf(errorName) };
  }
  return {
    code: errorName === undefined ? 'network-blocked' : 'network-failed',
    message:
      errorName === undefined
        ? `The browser refused to send the request to ${host} and did not say why.`
        : `The request to ${host} failed.`,
    advice:
      errorName === undefined
        ? 'Usual reasons: a port that browsers never connect to, a policy, or another extension.'
        : 'The name below is the one that the browser gives the failure.',
    ...detailOf(errorName),
  };
}

function detailOf(errorName: string | undefined): { detail?: string } {
  return errorName === undefined ? {} : { detail: errorName };
}
