import type { ErrorCode, Problem } from '../errors.ts';

/** How a socket ended. `code` 1005 and 1006 never came over the wire (RFC 6455, 7.4.1). */
export interface SocketEnd {
  code: number;
  reason: string;
  clean: boolean;
  by: 'us' | 'server' | 'network';
}

/** We close with these because browsers let a client give 1000 and 3000 to 4999 only: 4009 stands for 1009. */
export const CLOSE_TOO_LARGE = 4009;
export const CLOSE_TOO_FAST = 4000;

/** RFC 6455, 7.4.1, and the registry of close codes. */
const NAMES: Record<number, string> = {
  1000: 'normal closure',
  1001: 'going away',
  1002: 'protocol error',
  1003: 'unsupported data',
  1005: 'no code given',
  1006: 'no close frame',
  1007: 'invalid payload data',
  1008: 'policy violation',
  1009: 'message too large',
  1010: 'extension missing',
  1011: 'internal error',
  1012: 'service restart',
  1013: 'try again later',
  1014: 'bad gateway',
  1015: 'TLS handshake failed',
  3000: 'unauthorized',
  3003: 'forbidden',
  3008: 'timeout',
  4401: 'unauthorized, by custom',
  4403: 'forbidden, by custom',
};

const ORDERLY = new Set([1000, 1005]);
const PASSING = new Set([1001, 1006, 1011, 1012, 1013, 1014]);
const REFUSAL = new Set([1008, 3000, 3003, 4401, 4403]);
const FAULT_OF_FRAMES = new Set([1002, 1003, 1007, 1010]);

/** A close code with its meaning: `1011 (internal error)`. */
export function closeCodeWords(code: number): string {
  const name = NAMES[code] ?? (code >= 4000 ? 'private to the server' : 'not registered');
  return `${code} (${name})`;
}

/** Whether a socket that ended so may be opened again without asking anybody: not after a refusal. */
export function mayReopen(end: SocketEnd): boolean {
  return end.by !== 'us' && PASSING.has(end.code);
}

/** Says how a socket that had been open ended: code, meaning, reason, who closed it, and whether cleanly. */
export function diagnoseSocketClose(end: SocketEnd): Problem {
  const { code, reason, clean, by } = end;
  const what =
    code === 1006
      ? 'The WebSocket broke off without a close frame'
      : `${by === 'us' ? 'Wirescope' : 'The server'} closed the WebSocket`;
  const said = reason === '' ? '' : `: “${reason}”`;
  return {
    code: by === 'server' && ORDERLY.has(code) ? 'socket-ended' : 'socket-closed',
    message: `${what}, ${closeCodeWords(code)}${said}.`,
    advice: adviceFor(end),
    detail: `code ${code} · ${closedBy(by)} · ${clean ? 'clean' : 'not clean'}`,
  };
}

/** Who ended a socket, as the middle of a sentence. */
export function closedBy(by: SocketEnd['by']): string {
  switch (by) {
    case 'us':
      return 'closed by Wirescope';
    case 'server':
      return 'closed by the server';
    case 'network':
      return 'cut by the network or a crash';
  }
}

function adviceFor({ code, by }: SocketEnd): string {
  if (by === 'us') return 'All that came is kept.';
  if (ORDERLY.has(code)) return 'The server ended the connection in order. Connect again to go on.';
  if (REFUSAL.has(code)) {
    return 'The server refuses this client. Check the credentials under Headers, then connect again.';
  }
  if (code === 1009) return 'The request is larger than the server takes.';
  if (code === 1011) return 'The fault is in the server: its log says more.';
  if (FAULT_OF_FRAMES.has(code)) return 'One side broke the rules for frames: see the Stream tab.';
  if (PASSING.has(code)) return 'Open requests get no answer. A new connection may work.';
  return 'What this code means is up to the server: its documentation may say.';
}

/** What a plain GET of the http form of a socket's URL brought: a handshake hides its own answer. */
export type GetFacts =
  | { status: number; statusText: string; challenge?: string; location?: string }
  | { problem: Problem };

/**
 * Says why a socket closed before it opened. The WebSockets standard hides the reason, so what a plain GET
 * was told is the best evidence there is.
 */
export function diagnoseSocketOpen(url: string, code: number, get?: GetFacts): Problem {
  const failed = `The WebSocket to ${url} closed before it opened, ${closeCodeWords(code)}`;
  if (get === undefined) return { code: 'socket-refused', message: `${failed}.`, advice: CAUSES };
  if ('problem' in get) {
    const { problem } = get;
    // A GET that we gave up on says nothing about the handshake.
    if (!problem.code.startsWith('network-')) return diagnoseSocketOpen(url, code);
    return { ...problem, message: `${failed}. ${problem.message}` };
  }
  const { status, statusText, challenge, location } = get;
  const shown = `${status}${statusText === '' ? '' : ` ${statusText}`}`;
  const answer = (errorCode: ErrorCode, more: string, advice: string): Problem => ({
    code: errorCode,
    message: `${failed}. A plain GET of the same address was answered ${shown}${more}.`,
    advice,
  });
  if (status >= 300 && status < 400) {
    const target = location ?? 'an address that the browser hides';
    return answer('http-redirect', `, to ${target}`, REDIRECT_ADVICE);
  }
  if (status === 401) {
    const more = challenge === undefined ? '' : `, with the challenge: ${challenge}`;
    return answer('http-unauthorized', more, UNAUTHORIZED_ADVICE);
  }
  if (status === 403) return answer('http-forbidden', '', FORBIDDEN_ADVICE);
  if (status === 404) return answer('http-not-found', '', `Is the path right? ${CAUSES}`);
  return answer('socket-refused', ', so the server is there', CAUSES);
}

const CAUSES =
  'Browsers do not say why. Usual causes: the server does not select the subprotocol `mcp`, the path is wrong, it refuses the credentials or the Origin, or it speaks TLS and the URL does not (ws:// or wss://).';
const REDIRECT_ADVICE =
  'A handshake follows no redirect. Connect to the address that it leads to, or log in first where that is a login page.';
const UNAUTHORIZED_ADVICE =
  'Add an Authorization header under Headers and connect again. Do not put a token into the URL: it would end up in logs.';
const FORBIDDEN_ADVICE =
  'The server may refuse the credentials or the Origin of the handshake. Both can be set under Options.';

/** Says that a request got no answer in time on a channel that all messages share, which is open. */
export function diagnoseSocketSilence(rpcMethod: string, waitedMs: number): Problem {
  return {
    code: 'deadline',
    message: `The server did not answer \`${rpcMethod}\` over the open connection within ${Math.round(waitedMs / 100) / 10} s.`,
    advice: 'The server is reachable but does not answer. Its log may say what it waits for.',
  };
}

/** Says that a frame was larger than the profile allows. */
export function diagnoseSocketLimit(sizeBytes: number): Problem {
  return {
    code: 'body-limit',
    message: `A frame of ${sizeBytes} bytes is over the size limit, so the WebSocket was closed.`,
    advice: 'The frame is kept. Raise the size limit under Options, then connect again.',
  };
}

export const SOCKET_TOO_FAST: Problem = {
  code: 'stream-too-fast',
  message:
    'The server sends faster than this browser can store, so the WebSocket was closed: a browser has no way to slow it down.',
  advice: 'What came is kept. Connect again, and ask for less at a time.',
};
