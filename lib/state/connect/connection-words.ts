import type { ConnectionRecord } from '../../capture/correlate/items.ts';
import type { TransportKind } from '../../capture/store/stored-profile.ts';
import type { ConnectionSummary } from '../../port/contract.ts';

const TRANSPORTS: Record<TransportKind, string> = {
  'streamable-http': 'Streamable HTTP',
  'http-sse': 'HTTP+SSE',
  websocket: 'WebSocket',
};

type Link = Pick<ConnectionRecord, 'transport' | 'era' | 'revision'>;

/** What is known about the link: transport, era and revision, session. */
export function toLinkWords(connection: ConnectionSummary): string[] {
  const { session } = connection;
  return [...linkParts(connection), session === undefined ? '' : `session ‹${session}›`].filter(
    (part) => part !== '',
  );
}

/** Transport, era and revision on one line: `Streamable HTTP · modern 2026-07-28`. */
export function toLinkName(link: Link): string {
  return linkParts(link).filter(Boolean).join(' · ');
}

function linkParts({ transport, era, revision }: Link): string[] {
  const name = transport === undefined ? '' : TRANSPORTS[transport];
  return [name, [era, revision].filter(Boolean).join(' ')];
}

/** The state in words, with what is waited for. */
export function toStateWords(connection: ConnectionSummary): string {
  const { state, phase, hostPattern, authorization } = connection;
  if (state === 'asking') {
    return `waiting for your permission to reach ${hostPattern ?? connection.url}`;
  }
  if (state === 'connecting' && authorization?.ask !== undefined)
    return 'connecting: waits for you';
  if (state === 'lost' && hostPattern !== undefined) return 'lost: its host may not be reached';
  if (state === 'lost') return 'lost: the server does not answer; the next request tries again';
  return state === 'connecting' && phase !== undefined ? `connecting: ${phase}` : state;
}
