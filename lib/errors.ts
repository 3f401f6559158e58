/**
 * Every way in which an operation of ours can fail, by stable code.
 *
 * - `url-*`, `permission-*`: nothing was sent.
 * - `file-*`: what was to be imported cannot be, or what was to be written would give secrets away.
 * - `network-*`: no HTTP response; `detail` holds the browser's own error name.
 * - `http-*`, `body-*`, `endpoint-*`, `stream-*`: the server answered, but not with MCP.
 * - `socket-*`: a WebSocket that did not open, was closed with a fault, or was closed in order.
 * - `rpc-error`: the server answered with a JSON-RPC error; not a fault of the link.
 * - `auth-*`: authorization was tried and stopped; the steps of its chain say where.
 * - `deadline`, `aborted`: we stopped.
 */
export type ErrorCode =
  | 'url-invalid'
  | 'url-unsupported'
  | 'permission-denied'
  | 'permission-revoked'
  | 'header-invalid'
  | 'file-invalid'
  | 'file-unsafe'
  | 'network-refused'
  | 'network-name-not-found'
  | 'network-tls'
  | 'network-reset'
  | 'network-blocked'
  | 'network-offline'
  | 'network-timeout'
  | 'network-failed'
  | 'http-redirect'
  | 'http-status'
  | 'http-not-found'
  | 'http-session-ended'
  | 'http-unauthorized'
  | 'http-forbidden'
  | 'http-method-not-allowed'
  | 'body-web-page'
  | 'body-type'
  | 'body-not-json'
  | 'body-not-rpc'
  | 'body-empty'
  | 'body-limit'
  | 'endpoint-invalid'
  | 'endpoint-refused'
  | 'endpoint-missing'
  | 'stream-no-response'
  | 'stream-cut'
  | 'stream-too-fast'
  | 'socket-refused'
  | 'socket-closed'
  | 'socket-ended'
  | 'accepted-request'
  | 'auth-discovery'
  | 'auth-refused'
  | 'auth-registration'
  | 'auth-denied'
  | 'auth-closed'
  | 'auth-callback'
  | 'auth-token'
  | 'auth-rejected'
  | 'auth-scope'
  | 'protocol-version'
  | 'rpc-error'
  | 'deadline'
  | 'aborted'
  | 'not-connected'
  | 'storage-failed'
  | 'extension-replaced'
  | 'internal';

/** An error as plain data: what ports, the log and the page can carry. */
export interface Problem {
  code: ErrorCode;
  /** What happened and where, one sentence. */
  message: string;
  /** What the user can do next; absent where nothing is known. */
  advice?: string;
  /** The platform's or server's own words, verbatim. */
  detail?: string;
  /** What the server did answer: its HTTP status, and the code of a JSON-RPC error. */
  answer?: { status?: number; rpcCode?: number };
  /** The answer is one that only a server of HTTP+SSE gives. */
  isHttpSse?: true;
}

/** The one error class of Wirescope; `problem` is its JSON-safe form. */
export class AppError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.name = 'AppError';
    this.problem = problem;
  }
}

/** Whether somebody was asked for access in vain, so that nothing may ask again by itself. */
export function isAboutAccess({ code }: Problem): boolean {
  return code.startsWith('auth-') || code === 'permission-denied';
}

/** Any thrown value as a `Problem`; what is not ours becomes `internal` with its own message as detail. */
export function toProblem(error: unknown): Problem {
  // A script that is loaded apart has an `AppError` of its own.
  if (error instanceof Error && 'problem' in error) return error.problem as Problem;
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    code: 'internal',
    message: 'Something inside Wirescope failed.',
    advice: 'The recording is kept. Please report this with the text below.',
    detail,
  };
}
