/** What a secret header is made of, by which servers may name it elsewhere: values of cookies, a password. */
export function secretParts(name: string, value: string): string[] {
  if (name.endsWith('cookie')) {
    // Behind the first pair of `Set-Cookie` there are attributes only.
    const pairs = value.split(';', name === 'cookie' ? undefined : 1);
    return pairs
      .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
      .filter((part) => part !== '');
  }
  const login = /^basic +([\w+/]+=*)$/i.exec(value)?.[1];
  if (login === undefined) return [];
  try {
    const pair = atob(login);
    return [pair, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    return [];
  }
}
