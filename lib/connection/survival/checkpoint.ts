import type { Era, Rung } from '../../capture/wire-event.ts';
import type { TransportKind } from '../../capture/store/stored-profile.ts';
import type { Problem } from '../../errors.ts';
import type { ConnectionSummary, ServerQuestion } from '../../port/contract.ts';
import type { StreamPosition } from '../../transport/transport.ts';
import type { Link } from '../link.ts';
import { withoutSecretParams } from '../profile.ts';
import type { Requests } from '../requests/requests.ts';

/** A request that had no response yet. */
export interface OpenRequest {
  /** JSON text of its id. */
  rpcId: string;
  method: string;
  /** The exchange or socket that carries it. */
  carrierId: string;
  /** Where its stream can be taken up again; absent where nothing can. */
  position?: StreamPosition;
  /** JSON text of its progress token: progress goes on extending its time. */
  progressToken?: string;
  /** Of a subscription, so that it can be made again. */
  paramsText?: string;
}

/**
 * What a later life of the worker needs to go on with a connection. It is stored in the transaction that
 * stores the events of the same moment, so no position is ever later than the last event on disk.
 */
export interface ConnectionCheckpoint {
  connectionId: string;
  /** As it may be kept on disk. */
  url: string;
  transport: TransportKind;
  era: Era;
  rung: Rung;
  revision: string;
  serverName?: string;
  serverVersion?: string;
  /** Fingerprint of the session id. */
  session?: string;
  /** Ids are never used twice within a session. */
  nextId: number;
  /** The standalone stream. */
  stream?: StreamPosition;
  requests: OpenRequest[];
  /** Why it was lost then, if it was. */
  problem?: Problem;
  /** A new session was being made, so there is none to go on in. */
  isShaking?: true;
  /** Requests of the server that waited for the user. */
  questions?: ServerQuestion[];
  /** Events that held such requests: they are not answered twice. */
  askingIds?: readonly string[];
}

/** A connection as it is now; nothing before there is one, or after it. */
export function checkpointOf(
  summary: ConnectionSummary,
  rung: Rung | undefined,
  { transport, era }: Link,
  requests: Pick<Requests, 'nextId' | 'open'>,
  isShaking: boolean,
): ConnectionCheckpoint | undefined {
  const { state, connectionId, url, revision, session, problem, questions } = summary;
  if (rung === undefined || revision === undefined) return undefined;
  if (state !== 'connected' && state !== 'lost') return undefined;
  const { streams } = transport;
  return {
    connectionId,
    url: withoutSecretParams(url),
    transport: transport.kind,
    era,
    rung,
    revision,
    ...namesOf(summary),
    ...(session === undefined || transport.sessionId === undefined ? {} : { session }),
    nextId: requests.nextId,
    ...(streams?.standalone === undefined ? {} : { stream: streams.standalone }),
    requests: requests.open(streams?.answers),
    ...(problem === undefined ? {} : { problem }),
    ...(isShaking ? { isShaking } : {}),
    ...(questions.length === 0 ? {} : { questions }),
    ...(streams === undefined || streams.askingIds.length === 0
      ? {}
      : { askingIds: streams.askingIds }),
  };
}

type Names = Pick<ConnectionSummary, 'serverName' | 'serverVersion'>;

function namesOf({ serverName, serverVersion }: Names): Names {
  return {
    ...(serverName === undefined ? {} : { serverName }),
    ...(serverVersion === undefined ? {} : { serverVersion }),
  };
}

/** What pages are told of a connection as long as all that is known of it is its checkpoint. */
export function shownOf(checkpoint: ConnectionCheckpoint): Partial<ConnectionSummary> {
  const { transport, era, revision, session } = checkpoint;
  return {
    transport,
    era,
    revision,
    ...namesOf(checkpoint),
    ...(session === undefined ? {} : { session }),
  };
}

/** Reads stored checkpoints; what cannot be read has nothing to go on with. */
export function readCheckpoints(text: string | undefined): ConnectionCheckpoint[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as ConnectionCheckpoint[]) : [];
  } catch {
    return [];
  }
}
