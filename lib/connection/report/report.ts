import { AppError } from '../../errors.ts';
import type { Recorder } from '../../capture/recorder.ts';
import type { Secrets } from '../../capture/secrets.ts';
import type { OriginPolicy } from '../../capture/store/stored-profile.ts';
import type { ConnectRequest } from '../../port/contract.ts';
import { reportCandidates } from '../../protocol/report-candidates.ts';
import type { HttpDoor } from '../../transport/exchange/http-door.ts';
import type { Slots } from '../../transport/exchange/slots.ts';
import { httpForm } from '../../transport/websocket/socket-door.ts';
import type { Connection } from '../connection.ts';
import { notAllowed } from '../wishes/not-allowed.ts';
import { cookieDoor } from '../cookies.ts';
import { checkProfile, storedProfile, type Profile } from '../profile.ts';
import { askMore } from './report-probes.ts';

/** Live connections to the same host keep most of the browser's six for themselves. */
const AT_ONCE = 2;

export interface ReportParts {
  doors: {
    http: HttpDoor;
    hostPattern(url: string): string;
    hasPermission(hostPattern: string): Promise<boolean>;
    setOrigin(connectionId: string, url: string, policy: OriginPolicy): Promise<void>;
    clearOrigin(connectionId: string): Promise<void>;
  };
  recorder: Recorder;
  secrets: Secrets;
  slots?: Slots;
  clientVersion: string;
  newId(): string;
  /** Makes secret what the user calls secret. */
  keepSecrets(profile: Profile): void;
  createConnection(connectionId: string, profile: Profile): Connection;
  /** A report has begun or ended. */
  changed(): void;
}

/** Transport reports: one server, tried in every way that Wirescope knows. */
export interface Reports {
  readonly areRunning: boolean;
  /**
   * Begins a report, and resolves with its id; the log tells the rest. Rejects with an `AppError` where the
   * request has a fault or the host is not allowed (`permission-denied`): nothing is sent then.
   */
  start(request: ConnectRequest): Promise<{ reportId: string }>;
  /** Closes what a report has open, and tries nothing more; resolves when that is over. */
  stop(reportId: string): Promise<void>;
}

interface Try {
  connectionId: string;
  profile: Profile;
}

/**
 * Creates the reports. Each candidate has an ordinary connection of its own, in the log like any other; the
 * list of connections has none of them, since nobody works with them.
 */
export function createReports(parts: ReportParts): Reports {
  const { doors, recorder, secrets } = parts;
  const running = new Map<string, { stopping: AbortController; done: Promise<void> }>();

  async function start(request: ConnectRequest): Promise<{ reportId: string }> {
    const { attach: _attach, offerRevision: _offer, ...plain } = request;
    // Whatever transport the user has chosen, it must not decide here what becomes of the URL.
    const checked = checkProfile({ ...plain, transport: 'auto' });
    const host = doors.hostPattern(checked.url);
    if (!(await doors.hasPermission(host))) throw new AppError(notAllowed(host));
    parts.keepSecrets(checked);
    const reportId = parts.newId();
    const tries = reportCandidates(checked.url).map(
      ({ candidate, isGuess: _isGuess, ...wish }): Try => {
        const profile = candidateProfile(checked, wish);
        const connectionId = parts.newId();
        const report = { reportId, candidate };
        const stored = storedProfile(profile);
        // All at once, so that the log knows from the start what the report is going to try.
        recorder.record({ kind: 'connection-opened', profile: stored, report }, connectionId);
        return { connectionId, profile };
      },
    );
    const stopping = new AbortController();
    const done = run(tries, stopping.signal).finally(() => {
      running.delete(reportId);
      parts.changed();
    });
    running.set(reportId, { stopping, done });
    parts.changed();
    return { reportId };
  }

  async function run(tries: Try[], signal: AbortSignal): Promise<void> {
    const waiting = tries.values();
    const work = async () => {
      for (const next of waiting) await tryOne(next, signal);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Never rejects: every failure ends as a state of the connection, in the log. */
  async function tryOne({ connectionId, profile }: Try, signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      recorder.record({ kind: 'connection-closed', cause: 'user' }, connectionId);
      return;
    }
    const connection = parts.createConnection(connectionId, profile);
    let closing: Promise<void> | undefined;
    const close = (): void => void (closing ??= connection.close('user', true));
    signal.addEventListener('abort', close, { once: true });
    try {
      await doors.setOrigin(connectionId, httpForm(profile.url), profile.originPolicy);
      await connection.open();
      const { summary } = connection;
      if (summary.state === 'connected') {
        const { clientVersion } = parts;
        const session = summary.session === undefined ? undefined : secrets.reveal(summary.session);
        const context = contextOf(connectionId, profile);
        await askMore(context, { profile, summary, session, clientVersion, signal });
      }
    } catch (error) {
      connection.fail(error);
    }
    signal.removeEventListener('abort', close);
    close();
    await closing;
    // A rule that stays behind ends with the browser.
    await doors.clearOrigin(connectionId).catch(() => undefined);
  }

  function contextOf(connectionId: string, profile: Profile) {
    return {
      door: cookieDoor(doors.http, profile),
      recorder,
      connectionId,
      newHttpId: parts.newId,
      ...(parts.slots === undefined ? {} : { slots: parts.slots }),
    };
  }

  return {
    get areRunning() {
      return running.size > 0;
    },
    start,
    async stop(reportId) {
      const report = running.get(reportId);
      report?.stopping.abort();
      await report?.done;
    },
  };
}

/** One attempt, and no second one of anything: a report shows what the first answer is. */
function candidateProfile(
  checked: Profile,
  wish: Pick<ConnectRequest, 'url' | 'transport'> & { offerRevision?: string },
): Profile {
  return {
    ...checked,
    ...wish,
    openStream: false,
    renewSession: false,
    reconnection: { ...checked.reconnection, retries: 0 },
  };
}
