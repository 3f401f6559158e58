import type { Header } from '../capture/stored-text.ts';

/** Carries the session id of Streamable HTTP ("Session Management"). */
export const SESSION_HEADER = 'Mcp-Session-Id';

/** The session id among headers; an empty one is none. */
export function sessionIdIn(headers: readonly Header[]): string | undefined {
  const session = headers.find(({ name }) => name.toLowerCase() === SESSION_HEADER.toLowerCase());
  return session?.value === '' ? undefined : session?.value;
}
