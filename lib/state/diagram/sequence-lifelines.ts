import type { ConnectionRecord, HttpRecord } from '../../capture/correlate/items.ts';
import type { Purpose } from '../../capture/wire-event.ts';

/** One vertical line of a sequence diagram. */
export interface Lifeline {
  id: string;
  kind: 'client' | 'server' | 'authorization';
  title: string;
  /** More about it: address, transport. */
  note: string;
}

/** The lifeline of ourselves. */
export const CLIENT = 'client';

const AUTHORIZATION: ReadonlySet<Purpose> = new Set([
  'discovery',
  'registration',
  'token',
  'revocation',
]);

/** What describes the resource is said by the server itself (RFC 9728, 3). */
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** Id of the lifeline of a connection's server. */
export function serverLifeline(connectionId: string | undefined): string {
  return `server ${connectionId ?? ''}`;
}

/** Id of the lifeline that an exchange is with: the server, or an authorization server by its origin. */
export function lifelineOfExchange({ request, connectionId }: HttpRecord): string {
  const url = URL.canParse(request.url.text) ? new URL(request.url.text) : undefined;
  const isAuthorization = AUTHORIZATION.has(request.purpose);
  if (!isAuthorization || url === undefined || url.pathname.includes(RESOURCE_METADATA)) {
    return serverLifeline(connectionId);
  }
  return `authorization ${url.origin}`;
}

/** A lifeline from its id, with what is known of its connection by now. */
export function describeLifeline(
  id: string,
  connections: ReadonlyMap<string, ConnectionRecord>,
): Lifeline {
  if (id === CLIENT) return { id, kind: 'client', title: 'Wirescope', note: 'client' };
  const [kind = '', rest = ''] = splitOnce(id);
  if (kind === 'authorization') {
    return { id, kind, title: hostOf(rest), note: 'authorization server' };
  }
  const connection = connections.get(rest);
  const name = connection?.serverName ?? '';
  const url = connection?.url ?? '';
  return {
    id,
    kind: 'server',
    title:
      name === '' ? hostOf(url) || 'Server' : `${name} ${connection?.serverVersion ?? ''}`.trim(),
    note: name === '' ? 'server' : hostOf(url),
  };
}

function splitOnce(text: string): string[] {
  const at = text.indexOf(' ');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
