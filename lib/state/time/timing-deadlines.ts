import type { Moment } from '../../capture/correlate/items.ts';
import type { DeadlineKind, EventOf } from '../../capture/wire-event.ts';

type DeadlineEvent = EventOf<'deadline-started' | 'deadline-extended' | 'deadline-fired'>;

/** One deadline: when it began, how often it was put off, whether it struck. Milliseconds. */
export interface TimingDeadline {
  name: string;
  startMs: number;
  durationMs: number;
  extended: number;
  /** When it was last started or put off. */
  lastMs: number;
  firedMs?: number;
}

const NAMES: Record<DeadlineKind, string> = {
  connect: 'To connect',
  idle: 'Without progress',
  hard: 'In all',
  terminate: 'To end the session',
};

/** The deadlines of a carrier, one for each kind and request. */
export function toDeadlines(
  events: readonly DeadlineEvent[],
  since: (moment: Moment) => number,
): TimingDeadline[] {
  const deadlines = new Map<string, TimingDeadline>();
  for (const event of events) {
    const key = `${event.deadline} ${event.rpcId ?? ''}`;
    const atMs = since(event);
    const known = deadlines.get(key);
    if (known === undefined || event.kind === 'deadline-started') {
      const fresh = { name: NAMES[event.deadline], startMs: atMs, extended: 0, lastMs: atMs };
      deadlines.set(key, { ...fresh, durationMs: event.durationMs });
      if (event.kind === 'deadline-started') continue;
    }
    const deadline = deadlines.get(key);
    if (deadline === undefined) continue;
    if (event.kind === 'deadline-fired') deadline.firedMs = atMs;
    else {
      deadline.extended += 1;
      deadline.lastMs = atMs;
      deadline.durationMs = event.durationMs;
    }
  }
  return [...deadlines.values()];
}
