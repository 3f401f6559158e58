import type { TransportKind } from '../../capture/store/stored-profile.ts';
import type { ConnectPhase, Era, WireFact } from '../../capture/wire-event.ts';
import { buildNotification } from '../../protocol/jsonrpc.ts';
import type { ClientIdentity } from '../../port/send-contract.ts';
import { initializeParams, readInitializeResponse, type ServerIdentity } from './handshake.ts';
import type { Link } from '../link.ts';
import type { Profile } from '../profile.ts';
import type { Requests } from '../requests/requests.ts';
import { timeLimit } from '../time-limit.ts';

/** Each phase of connecting has this long, in milliseconds. */
const PHASE_MS = 10_000;

export interface EstablishContext {
  requests: Requests;
  record(fact: WireFact): void;
  profile: Profile;
  client: string | ClientIdentity;
  capabilities(): object;
  link(): Link;
  /** Takes a new link in place of the one before, whose channels are closed; the same transport is kept. */
  use(kind: TransportKind, era: Era): Link;
  /** Adds to what the requests of this connection declare. */
  declare(capabilities: Record<string, unknown>): void;
  /** Ends everything that the attempt has under way. */
  signal: AbortSignal;
  phase(phase: ConnectPhase): void;
  sent(): void;
}

/** Goes on in a session that exists already: a `ping` shows whether the server still knows it. */
export async function attach(
  context: EstablishContext,
  existing: { session: string; revision: string },
): Promise<ServerIdentity> {
  const { requests, record } = context;
  const { session, revision } = existing;
  const { transport } = context.use('streamable-http', 'legacy');
  record({ kind: 'session-assigned', session, cuts: [], by: 'user' });
  transport.sessionId = session;
  transport.protocolVersion = revision;
  const evidence: string[] = [];
  context.phase('attach');
  context.sent();
  await requests.send('ping', undefined, {
    idle: { kind: 'connect', durationMs: PHASE_MS },
    started: ({ carrierId }) => void evidence.push(carrierId),
  });
  record({
    kind: 'connection-chosen',
    transport: transport.kind,
    era: 'legacy',
    revision,
    evidence,
  });
  return { revision };
}

/** Opens what a transport needs before the first message. */
export async function openTransport(
  context: EstablishContext,
  started: (carrierId: string) => void,
): Promise<void> {
  const { signal } = context;
  const { transport } = context.link();
  if (transport.kind === 'streamable-http') return transport.open(signal);
  context.phase('open');
  const late =
    transport.kind === 'http-sse'
      ? `The server opened no stream with an \`endpoint\` event within ${PHASE_MS / 1000} s.`
      : `The WebSocket did not open within ${PHASE_MS / 1000} s.`;
  const limit = timeLimit(PHASE_MS, late, signal);
  try {
    await transport.open(limit.signal, started, limit.hold);
  } finally {
    limit.stop();
  }
}

/**
 * Shakes hands (basic/lifecycle, "Initialization"). `offer` is the revision that is asked for. Rejects with an
 * `AppError` that says in which phase it stopped, and why.
 */
export async function initialize(
  context: EstablishContext,
  offer: string,
  started: (carrierId: string) => void,
): Promise<ServerIdentity> {
  const { requests } = context;
  context.phase('initialize');
  context.sent();
  const params = initializeParams(context.client, context.capabilities(), offer);
  const response = await requests.send('initialize', params, {
    idle: { kind: 'connect', durationMs: PHASE_MS },
    started: ({ carrierId }) => started(carrierId),
  });
  const identity = readInitializeResponse(response);
  context.link().transport.protocolVersion = identity.revision;
  context.phase('initialized');
  await notifyInitialized(context);
  return identity;
}

async function notifyInitialized({ link, signal, sent }: EstablishContext): Promise<void> {
  const method = 'notifications/initialized';
  const late = `The server did not accept \`${method}\` within ${PHASE_MS / 1000} s.`;
  const limit = timeLimit(PHASE_MS, late, signal);
  sent();
  try {
    const text = buildNotification(method);
    await link().transport.send({
      text,
      kind: 'notification',
      method,
      signal: limit.signal,
      held: limit.hold,
    });
  } finally {
    limit.stop();
  }
}
