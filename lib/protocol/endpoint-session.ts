/** The session id in the query of an endpoint, which servers use as the only proof of a session. */
export function sessionInEndpoint(url: string): string | undefined {
  for (const [name, value] of new URL(url).searchParams) {
    if (/^(session_?id|session|sid|(transport|connection)_?id)$/i.test(name) && value !== '')
      return value;
  }
  return undefined;
}

/** Session ids in raw stream text, found before anything of it is recorded. The last may be incomplete. */
export function sessionsInText(text: string): { value: string; mayContinue: boolean }[] {
  return [
    ...text.matchAll(/[?&](?:session_?id|session|sid|(?:transport|connection)_?id)=([^&\s#"]*)/gi),
  ].map((match) => ({
    value: match[1] ?? '',
    mayContinue: match.index + match[0].length === text.length,
  }));
}
