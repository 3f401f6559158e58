import { toProblem } from '../errors.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { ConnectPhase, Era } from '../capture/wire-event.ts';
import { buildNotification } from '../protocol/jsonrpc.ts';
import type { Transport } from '../transport/transport.ts';
import { discover } from './discover.ts';
import { initializeParams, readInitializeResponse, type ServerIdentity } from './handshake.ts';
import type { Profile } from './profile.ts';
import type { Requests } from './requests.ts';
import { timeLimit } from './time-limit.ts';

/** Each phase of connecting has this long, in milliseconds. */
const PHASE_MS = 10_000;

export interface EstablishContext {
  transport: Transport;
  requests: Requests;
  recorder: Pick<Recorder, 'record'>;
  connectionId: string;
  profile: Profile;
  clientVersion: string;
  capabilities: object;
  /** As an earlier handshake of this connection has shown. */
  knownEra?: Era;
  /** Ends everything that the attempt has under way. */
  signal: AbortSignal;
  phase(phase: ConnectPhase): void;
  sent(): void;
}

/**
 * Opens the transport and shakes hands (basic/lifecycle, "Initialization"). Rejects with an `AppError` that
 * says in which phase it stopped, and why.
 */
export async function establish(context: EstablishContext): Promise<ServerIdentity> {
  const { transport, recorder, connectionId } = context;
  const evidence: string[] = [];
  await openTransport(context);
  if (transport.kind === 'websocket' && context.knownEra === undefined) {
    await probeEra(context, evidence);
  }
  const identity = await initialize(context, evidence);
  const era = 'legacy';
  recorder.record(
    { kind: 'connection-chosen', transport: transport.kind, era, ...identity, evidence },
    connectionId,
  );
  return identity;
}

/** Goes on in a session that exists already: a `ping` shows whether the server still knows it. */
export async function attach(
  context: EstablishContext,
  existing: { session: string; revision: string },
): Promise<ServerIdentity> {
  const { transport, recorder, connectionId, requests } = context;
  const { session, revision } = existing;
  recorder.record({ kind: 'session-assigned', session, cuts: [], by: 'user' }, connectionId);
  transport.sessionId = session;
  transport.protocolVersion = revision;
  const evidence: string[] = [];
  context.phase('attach');
  context.sent();
  await requests.send('ping', undefined, {
    idle: { kind: 'connect', durationMs: PHASE_MS },
    started: ({ carrierId }) => void evidence.push(carrierId),
  });
  recorder.record(
    { kind: 'connection-chosen', transport: transport.kind, era: 'legacy', revision, evidence },
    connectionId,
  );
  return { revision };
}

/** A server may close the socket on a message that it does not expect: then the handshake has one of its own. */
async function probeEra(context: EstablishContext, evidence: string[]): Promise<void> {
  context.phase('discover');
  context.sent();
  try {
    await discover(context.requests, context.clientVersion, (id) => void evidence.push(id));
  } catch (error) {
    if (!toProblem(error).code.startsWith('socket-')) throw error;
    await openTransport(context);
  }
}

async function openTransport(context: EstablishContext): Promise<void> {
  const { transport, signal } = context;
  if (transport.kind === 'streamable-http') return transport.open(signal);
  context.phase('open');
  const late =
    transport.kind === 'http-sse'
      ? `The server opened no stream with an \`endpoint\` event within ${PHASE_MS / 1000} s.`
      : `The WebSocket did not open within ${PHASE_MS / 1000} s.`;
  const limit = timeLimit(PHASE_MS, late, signal);
  try {
    await transport.open(limit.signal);
  } finally {
    limit.stop();
  }
}

async function initialize(context: EstablishContext, evidence: string[]): Promise<ServerIdentity> {
  const { transport, requests } = context;
  context.phase('initialize');
  context.sent();
  const params = initializeParams(context.clientVersion, context.capabilities);
  const response = await requests.send('initialize', params, {
    idle: { kind: 'connect', durationMs: PHASE_MS },
    started: ({ carrierId }) => void evidence.push(carrierId),
  });
  const identity = readInitializeResponse(response);
  transport.protocolVersion = identity.revision;
  context.phase('initialized');
  await notifyInitialized(context);
  return identity;
}

async function notifyInitialized({ transport, signal, sent }: EstablishContext): Promise<void> {
  const method = 'notifications/initialized';
  const late = `The server did not accept \`${method}\` within ${PHASE_MS / 1000} s.`;
  const limit = timeLimit(PHASE_MS, late, signal);
  sent();
  try {
    const text = buildNotification(method);
    await transport.send({ text, kind: 'notification', method, signal: limit.signal });
  } finally {
    limit.stop();
  }
}
