/**
 * Says why a URL that a server's metadata names must not be used, or `undefined` where it may. `serverUrl` is
 * what the user connects to: metadata of a public server has no business on a private address.
 */
export function urlRefusal(url: string, serverUrl: string): string | undefined {
  if (!URL.canParse(url)) return 'it is no URL';
  const { protocol, username, password } = new URL(url);
  const hostname = hostOf(url);
  if (protocol !== 'https:' && protocol !== 'http:') return `it begins with ${protocol}`;
  if (protocol === 'http:' && !isLoopback(hostname)) return 'it is not HTTPS';
  if (username !== '' || password !== '') return 'it holds a user name or password';
  if (isPrivate(hostname) && !isPrivate(hostOf(serverUrl))) {
    return 'it is a private address, named by a public server';
  }
  return undefined;
}

/** The name without the dot of the root, which changes nothing about where it leads. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** Whether a host is this machine. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** By its name or address alone: what a name resolves to is not known before it is asked. */
function isPrivate(hostname: string): boolean {
  if (isLoopback(hostname) || /\.(local|internal|home\.arpa)$/.test(hostname)) return true;
  // What begins with zeros is this machine, or holds an address of IPv4.
  if (/^\[(f[cd]|fe[89ab]|::)/.test(hostname)) return true;
  const [first = -1, second = -1] = /^\d+(\.\d+){3}$/.test(hostname)
    ? hostname.split('.').map(Number)
    : [];
  if (first === 0 || first === 10) return true;
  if (first === 172) return second >= 16 && second < 32;
  if (first === 169) return second === 254;
  if (first === 100) return second >= 64 && second < 128;
  return first === 192 && second === 168;
}
