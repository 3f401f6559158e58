import type { Problem } from '../errors.ts';
import { fellSilent } from '../protocol/diagnose-end.ts';
import { wordFault } from '../protocol/fault-words.ts';
import { formatBytes, formatCount } from '../text.ts';
import { wordAuth } from './auth-words.ts';
import { momentOf } from './correlate/correlate-source.ts';
import type { LifecycleItem } from './correlate/items.ts';
import type { EventOf, HttpEnd, WireEvent } from './wire-event.ts';

/** What a row of its own says. */
export type Wording = Pick<LifecycleItem, 'title' | 'level'> & {
  detail?: string;
  problem?: Problem;
};

const TRANSPORT_NAMES = {
  'streamable-http': 'Streamable HTTP',
  'http-sse': 'HTTP+SSE',
  websocket: 'WebSocket',
} as const;

const RUNG_NAMES = {
  ...TRANSPORT_NAMES,
  modern: 'Modern era',
  'streamable-http': 'Streamable HTTP, legacy',
} as const;

/** How a transport is called on screen. */
function transportName(transport: keyof typeof TRANSPORT_NAMES): string {
  return TRANSPORT_NAMES[transport];
}

/** The row for an event that is no message and no exchange; `undefined` for events that belong to another row. */
export function wordLifecycle(event: WireEvent): Wording | undefined {
  switch (event.kind) {
    case 'connection-opened':
      return info(`Connecting to ${event.profile.url.text}`);
    case 'rung-judged':
      return rungJudged(event);
    case 'connection-chosen': {
      const name = [event.serverName ?? 'unnamed server', event.serverVersion ?? '']
        .join(' ')
        .trim();
      return info(
        `Connected to ${name}`,
        `${transportName(event.transport)} · ${event.era} ${event.revision}`,
      );
    }
    case 'session-assigned':
      return info(`Session ‹${event.cuts[0]?.secret ?? '?'}› assigned`, `by ${event.by}`);
    case 'session-replaced':
      return info(`Session replaced by ‹${event.cuts[0]?.secret ?? '?'}›`, `by ${event.by}`);
    case 'endpoint-announced':
      return wordEndpoint(event);
    case 'session-ended':
      return info('Session ended', event.cause);
    case 'connection-state':
      return {
        level: event.state === 'lost' ? 'error' : 'info',
        title: `Connection ${event.state}`,
        detail: event.cause,
      };
    case 'connection-failed':
      return {
        level: 'error',
        title: 'Connection failed',
        detail: event.problem.message,
        problem: event.problem,
      };
    case 'connection-terminated':
      return terminated(event.status);
    case 'connection-closed':
      return info(
        'Disconnected',
        event.reason ?? `by ${event.cause === 'user' ? 'the user' : event.cause}`,
      );
    case 'permission-asked':
      return info('Permission asked', event.host);
    case 'permission-granted':
      return info('Permission granted', event.host);
    case 'permission-denied':
      return { level: 'error', title: 'Permission denied', detail: event.host };
    case 'permission-revoked':
      return { level: 'error', title: 'Permission revoked', detail: event.host };
    case 'http-redirect':
      return info(`Redirect ${event.status}`, `to ${event.target}`);
    case 'auth-consent':
    case 'auth-credential':
    case 'auth-question':
      return wordAuth(event);
    case 'retry-scheduled':
      return info(`Retry in ${event.delayMs} ms`, `asked for by the ${event.askedBy}`);
    case 'online':
      return info('The browser is online');
    case 'offline':
      return { level: 'warning', title: 'The browser is offline' };
    case 'retry-held':
      return info('Retry waits', 'until the browser is online');
    case 'wake':
      return info('The machine woke up', ...wakeWords(event.aheadMs));
    case 'clock-set-back':
      return info(`The clock was set back by ${words(event.byMs)}`, 'no deadline depends on it');
    case 'link-probed':
      return probed(event);
    case 'worker-started':
      return workerStarted(event.cause);
    case 'gap':
      return { level: 'error', title: event.what, detail: event.why };
    case 'reading-paused':
      return {
        level: 'warning',
        title: 'Reading paused',
        detail: `${event.uncommittedBytes} bytes wait to be stored`,
      };
    case 'reading-resumed':
      return info('Reading resumed');
    case 'socket-buffered':
      return event.sizeBytes > 0
        ? info('Sending waits', `${event.sizeBytes} bytes are under way`)
        : info('Sending goes on');
    case 'storage-state':
      return event.state === 'memory'
        ? {
            level: 'error',
            title: 'Recording in memory only',
            detail: [event.reason, event.advice ?? ''].join(' ').trim(),
          }
        : info('Recording to disk again', event.reason);
    case 'capture-removed':
      return captureRemoved(event);
    case 'capture-started':
      return info('Capture started', event.name);
    case 'capture-split':
      return info('Capture split', 'What was open goes on in the next capture.');
    case 'capture-stopped':
      return info('Capture stopped');
    case 'override-chosen':
      return info('Override chosen', event.what);
    case 'fault-injected':
      return info('Fault injected', wordFault(event.fault));
    default:
      return undefined;
  }
}

const PROBE_CAUSES = {
  wake: 'wake',
  online: 'going online',
  restart: 'a restart',
  permission: 'access was granted',
} as const;
const PROBE_VERDICTS = {
  answered: 'the server answered',
  silent: 'no answer in time',
  failed: 'the server cannot be reached',
} as const;

function probed(event: EventOf<'link-probed'>): Wording {
  const { verdict, streams, isKept, note } = event;
  const open = streams === 1 ? '1 open channel' : `${streams} open channels`;
  const what = isKept ? 'left as it was' : 'taken for broken, and opened again';
  return {
    level: verdict === 'answered' ? 'info' : 'warning',
    title: `Probed after ${PROBE_CAUSES[event.cause]}: ${PROBE_VERDICTS[verdict]}`,
    ...detailOf([streams === 0 ? '' : `${open}: ${what}`, note ?? ''].filter(Boolean).join('; ')),
  };
}

function wakeWords(aheadMs: number | undefined): [string?] {
  if (aheadMs === undefined) return [];
  return [`no timer ran for about ${words(aheadMs)}: it slept, or its clock was set forward`];
}

/** A duration in words. */
function words(ms: number): string {
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  const minutes = ms / 60_000;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 6) / 10} h`;
}

function info(title: string, detail?: string): Wording {
  return detail === undefined ? { level: 'info', title } : { level: 'info', title, detail };
}

/** What was chosen has a row of its own. */
function rungJudged({ rung, verdict, reason }: EventOf<'rung-judged'>): Wording | undefined {
  const name = RUNG_NAMES[rung];
  switch (verdict) {
    case 'chosen':
      return undefined;
    case 'not-this':
      return info(`${name}: not spoken here`, reason);
    case 'undecided':
      return { level: 'warning', title: `${name}: undecided`, detail: reason };
    case 'failed':
      return info(`${name}: failed`, reason);
    case 'skipped':
      return info(`${name}: not tried`, reason);
  }
}

function wordEndpoint(event: EventOf<'endpoint-announced'>): Wording {
  const { verdict, announced, url, problem } = event;
  if (problem !== undefined) {
    return { level: 'error', title: 'Endpoint refused', detail: problem.message, problem };
  }
  if (verdict === 'replaced') {
    return { level: 'warning', title: 'Endpoint replaced', detail: url?.text ?? announced };
  }
  return info(
    verdict === 'unchanged' ? 'Endpoint announced again' : 'Endpoint',
    url?.text ?? announced,
  );
}

/** A worker that wakes with nothing cut off is no news: browsers stop and start it all the time. */
function workerStarted(cause: EventOf<'worker-started'>['cause']): Wording | undefined {
  switch (cause) {
    case 'install':
      return info('Recording started');
    case 'update':
      return info('Wirescope was updated or reloaded');
    case 'browser-start':
      return info('Browser started');
    case 'wake':
      return undefined;
  }
}

function captureRemoved({ removed, by }: EventOf<'capture-removed'>): Wording {
  const { name, startedAt, endedAt, eventCount, sizeBytes } = removed;
  const span = [startedAt, endedAt ?? startedAt].map((time) => new Date(time).toLocaleString());
  const held = `${span[0]} to ${span[1]}, ${formatCount(eventCount, 'event')}, ${formatBytes(sizeBytes)}`;
  return by === 'user'
    ? info(`Deleted: ${name}`, `by the user; ${held}`)
    : {
        level: 'warning',
        title: `Deleted to make room: ${name}`,
        detail: `the oldest that is not pinned; ${held}`,
      };
}

function terminated(status: number): Wording {
  if (status === 405) return info('The server does not let clients end sessions (405)');
  if (status === 404 || (status >= 200 && status < 300)) return info(`Session ended (${status})`);
  return {
    level: 'warning',
    title: `Ending the session was answered ${status}`,
    detail: 'It ends here all the same.',
  };
}

/** The row for the end of a GET stream that had been open. */
export function wordStreamEnd(end: HttpEnd): Wording {
  switch (end.outcome) {
    case 'complete':
      return info('GET stream closed', 'by the server');
    case 'cut':
      return { level: 'warning', title: 'GET stream broke off', detail: end.errorName };
    case 'aborted':
      return fellSilent(end)
        ? { level: 'warning', title: 'GET stream fell silent', ...detailOf(end.note) }
        : info('GET stream closed', `by us: ${end.cause}`);
    case 'failed':
      return { level: 'error', title: 'GET stream failed', detail: end.problem.message };
  }
}

/** A row of its own for an event. */
export function lifecycleItem(event: WireEvent, wording: Wording): LifecycleItem {
  const httpId = 'httpId' in event ? event.httpId : undefined;
  return {
    ...wording,
    kind: 'lifecycle',
    key: `event ${event.sequence}`,
    sequence: event.sequence,
    connectionId: event.connectionId,
    started: momentOf(event),
    revision: 0,
    event,
    ...(httpId === undefined ? {} : { httpId }),
  };
}

function detailOf(note: string | undefined): { detail?: string } {
  return note === undefined || note === '' ? {} : { detail: note };
}
