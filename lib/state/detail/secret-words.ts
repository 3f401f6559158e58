import { formatCount } from '../../text.ts';

/** What each class of hidden values is called: one, and several. */
const WORDS: Record<string, readonly [string, string]> = {
  sid: ['session id', 'session ids'],
  tok: ['token', 'tokens'],
  token: ['token', 'tokens'],
  jwt: ['JWT', 'JWTs'],
  key: ['key', 'keys'],
  csrf: ['CSRF token', 'CSRF tokens'],
  cookie: ['cookie', 'cookies'],
  userinfo: ['name and password in a URL', 'names and passwords in URLs'],
  pem: ['private key', 'private keys'],
  folders: ['path of a local file', 'paths of local files'],
  digest: ['digest of a body', 'digests of bodies'],
  own: ['value by a rule of yours', 'values by rules of yours'],
  state: ['state', 'states'],
  code: ['authorization code', 'authorization codes'],
  password: ['password', 'passwords'],
  secret: ['secret', 'secrets'],
};

/** A class of secrets in words, singular or plural by its count. */
export function classWords(secretClass: string, count: number): string {
  const plain = secretClass.replaceAll('-', ' ');
  const [one, several] = WORDS[secretClass] ?? [plain, `${plain}s`];
  return count === 1 ? one : several;
}

/** How many there are of each class: `2 cookies, 1 token`. */
export function wordCounts(found: readonly { secretClass: string }[]): string {
  const counts = new Map<string, number>();
  for (const { secretClass } of found) {
    counts.set(secretClass, (counts.get(secretClass) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => formatCount(count, classWords(name, 1), classWords(name, count)))
    .join(', ');
}
