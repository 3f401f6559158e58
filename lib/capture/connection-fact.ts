import type { Problem } from '../errors.ts';
import type { StoredProfile, TransportKind } from './store/stored-profile.ts';
import type { Cut, StoredUrl } from './store/stored-text.ts';
import type {
  CloseCause,
  ConnectPhase,
  Era,
  Rung,
  RungVerdict,
  SessionSource,
} from './wire-event.ts';

/** What gives reason to doubt a link that says nothing. */
export type ProbeCause = 'wake' | 'online' | 'restart' | 'permission';

/** What becomes of a connection, from opening to its end. */
export type ConnectionFact =
  /** `report` names the transport report that this connection was opened for, and what it is to find out. */
  | {
      kind: 'connection-opened';
      profile: StoredProfile;
      report?: { reportId: string; candidate: string };
    }
  | { kind: 'connection-phase'; phase: ConnectPhase }
  | { kind: 'rung-started'; rung: Rung }
  | {
      kind: 'rung-judged';
      rung: Rung;
      verdict: RungVerdict;
      /** What the server's answer says about it, in a few words. */
      reason: string;
      /** `httpId`s or `socketId` of what proves it. */
      evidence: string[];
    }
  | {
      kind: 'connection-chosen';
      transport: TransportKind;
      era: Era;
      revision: string;
      serverName?: string;
      serverVersion?: string;
      /** `httpId`s of the exchanges, or `socketId` of the socket, that prove it. */
      evidence: string[];
    }
  | { kind: 'session-assigned'; session: string; cuts: Cut[]; by: SessionSource }
  | { kind: 'session-replaced'; session: string; cuts: Cut[]; by: SessionSource }
  | { kind: 'session-ended'; cause: string }
  /** HTTP+SSE: where the server wants messages to go, as announced and as resolved. */
  | {
      kind: 'endpoint-announced';
      httpId: string;
      announced: string;
      url?: StoredUrl;
      verdict: 'accepted' | 'replaced' | 'unchanged' | 'refused';
      problem?: Problem;
    }
  /** A later life of the worker goes on with it; `resumed` and `lost` name the carriers of what was open. */
  | {
      kind: 'connection-revived';
      awayMs: number;
      resumed: string[];
      lost: string[];
      /** It had not got so far that anything could go on: it is connected anew. */
      anew?: true;
      /** What the server had asked the user: ids that wait on, and how many can no longer be answered. */
      questions?: { kept: string[]; lost: number };
    }
  /** Whether there still is somebody at the other end. `streams` were open then, and go on or are opened again. */
  | {
      kind: 'link-probed';
      cause: ProbeCause;
      /** The exchange or socket that carried the probe; empty where none did. */
      carrierId: string;
      verdict: 'answered' | 'silent' | 'failed';
      streams: number;
      /** Whether what was open is left as it is. */
      isKept: boolean;
      /** Why nothing is known of the streams themselves. */
      note?: string;
    }
  | { kind: 'connection-state'; state: 'live' | 'degraded' | 'lost'; cause: string }
  | { kind: 'connection-failed'; problem: Problem }
  | { kind: 'connection-terminated'; status: number }
  | { kind: 'connection-closed'; cause: CloseCause; reason?: string };
