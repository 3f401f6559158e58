import { rpcError, send, sendJson } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Fault, Faults } from '../fault.ts';
import { behaveWell } from '../tiny-mcp.ts';

const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body>Hello</body></html>';

function status(code: number, about: string, type = 'text/plain', body = '', headers = {}): Fault {
  return {
    about: `${code}: ${about}`,
    at: 'all',
    answer(exchange) {
      for (const [name, value] of Object.entries<string>(headers)) {
        exchange.response.setHeader(name, value);
      }
      send(exchange, code, type, body);
    },
  };
}

function redirect(code: number, location: string, about: string): Fault {
  return status(code, about, 'text/plain', 'Moved', { Location: location });
}

function redirectTo(exchange: Exchange, location: string): void {
  exchange.response.writeHead(Number(exchange.query.get('status') ?? 307), { Location: location });
  exchange.response.end();
}

/** Servers that are no MCP endpoint at this URL, or refuse. */
export const httpFaults: Faults = {
  'web-page': status(200, 'a web page', 'text/html; charset=utf-8', PAGE),
  'redirect-301': redirect(301, '/ok', 'redirect to a good endpoint of the same origin'),
  'redirect-302': redirect(302, '/ok', 'redirect to a good endpoint of the same origin'),
  'redirect-303': redirect(303, '/ok', 'redirect to a good endpoint of the same origin'),
  'redirect-307': redirect(307, '/ok', 'redirect to a good endpoint of the same origin'),
  'redirect-308': redirect(308, '/ok', 'redirect to a good endpoint of the same origin'),
  'redirect-loop': redirect(307, '/redirect-loop', 'redirect to itself'),
  'redirect-bad-location': redirect(307, 'http://[bad', 'redirect to what is no URL'),
  'redirect-no-location': status(307, 'redirect that names no place'),
  'redirect-cross-origin': {
    about: 'redirect (?status=, else 307) to another port, where a trap records',
    at: 'all',
    answer: (exchange) => redirectTo(exchange, `${exchange.trapOrigin}/mcp`),
  },
  'status-400-rpc': {
    about: '400: a JSON-RPC error with id null that holds the reason',
    at: 'all',
    answer: (exchange) =>
      sendJson(
        exchange,
        rpcError(null, -32000, 'App is not enabled, see https://example.com/enable'),
        400,
      ),
  },
  'status-400-text': status(400, 'the reason as plain text', 'text/plain', 'No such workspace'),
  'status-401': status(401, 'a challenge', 'application/json', '{"error":"invalid_token"}', {
    'WWW-Authenticate': 'Bearer realm="mcp", error="invalid_token"',
  }),
  'status-403-origin': {
    about: '403 for any request that has an Origin header',
    at: 'all',
    answer: (exchange) =>
      exchange.request.headers.origin === undefined
        ? behaveWell(exchange)
        : sendJson(exchange, rpcError(null, -32000, 'Origin not allowed'), 403),
  },
  'status-404': status(404, 'a wrong path', 'text/html', '<pre>Cannot POST /mcp</pre>'),
  'status-405': status(405, 'a path that takes no POST', 'text/plain', 'Not allowed', {
    Allow: 'GET',
  }),
  'status-406': {
    about: '406: a JSON-RPC error about the media types that are accepted',
    at: 'all',
    answer: (exchange) =>
      sendJson(exchange, rpcError(null, -32000, 'Client must accept both types'), 406),
  },
  'status-415': status(415, 'the media type of the body is refused', 'text/plain', 'JSON only'),
  'status-429': status(429, 'too many requests', 'text/plain', 'Slow down', {
    'Retry-After': '30',
  }),
  'status-500-html': status(500, 'a web page', 'text/html', PAGE.replace('Sign in', 'Error')),
  'status-503': status(503, 'not now', 'text/plain', 'Back soon', { 'Retry-After': '120' }),
  silent: {
    about: 'takes the request and never answers',
    at: 'calls',
    answer: () => undefined,
  },
  reset: {
    about: 'resets the connection instead of an answer',
    at: 'calls',
    answer: (exchange) => void exchange.request.socket.resetAndDestroy(),
  },
};
