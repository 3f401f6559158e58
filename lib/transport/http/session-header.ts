import { headerOf } from '../header-of.ts';
import type { Header } from '../../capture/store/stored-text.ts';

/** Carries the session id of Streamable HTTP ("Session Management"). */
const SESSION_HEADER = 'Mcp-Session-Id';

/** The session id among headers; an empty one is none. */
export function sessionIdIn(headers: readonly Header[]): string | undefined {
  const session = headerOf(headers, 'mcp-session-id');
  return session === '' ? undefined : session;
}

/** The headers that say in which session a request is sent, and in which revision. */
export function sessionHeaders(
  sessionId: string | undefined,
  protocolVersion: string | undefined,
): Header[] {
  return [
    ...(protocolVersion === undefined
      ? []
      : [{ name: 'MCP-Protocol-Version', value: protocolVersion }]),
    ...(sessionId === undefined ? [] : [{ name: SESSION_HEADER, value: sessionId }]),
  ];
}
