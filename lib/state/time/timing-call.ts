import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item, RequestItem } from '../../capture/correlate/items.ts';
import { indexFromSequence } from '../view/by-sequence.ts';
import { createStopwatch } from './timing-clock.ts';
import type { TimingPhase } from './timing.ts';

/** A call of several rounds as a whole. */
export interface CallTiming {
  phases: TimingPhase[];
  totalMs: number;
  /** How much of it was spent waiting for the user. */
  userMs: number;
  isRunning: boolean;
  /** Wall time, ms, of its zero. */
  startedAt: number;
}

/** Timing over all rounds of a call; undefined where there is only one and nothing is asked. */
export function toCallTiming(
  item: Item,
  { chains }: Pick<Correlation, 'chains'>,
): CallTiming | undefined {
  if (item.kind !== 'request') return undefined;
  const chain = chains.get(item.round?.first ?? item.key);
  if (chain === undefined) return undefined;
  const rounds: RequestItem[] = [chain.first, ...chain.later];
  const { since } = createStopwatch(chain.first.started);
  const phases: TimingPhase[] = [];
  let userMs = 0;
  for (const [index, round] of rounds.entries()) {
    const startMs = since(round.started);
    const name = `Round ${round.round?.number ?? 1}`;
    if (round.ended === undefined) {
      phases.push({ name, kind: 'waiting', startMs, durationMs: 0, isOpen: true });
      continue;
    }
    const endMs = since(round.ended);
    phases.push({ name, kind: 'waiting', startMs, durationMs: Math.max(endMs - startMs, 0) });
    const next = rounds[index + 1];
    const asked = { name: 'Your answer', kind: 'user', startMs: endMs } as const;
    if (next !== undefined) {
      const durationMs = Math.max(since(next.started) - endMs, 0);
      userMs += durationMs;
      phases.push({ ...asked, durationMs });
    } else if (chain.isWaiting) phases.push({ ...asked, durationMs: 0, isOpen: true });
  }
  return {
    phases,
    totalMs: Math.max(...phases.map(({ startMs, durationMs }) => startMs + durationMs)),
    userMs,
    isRunning: phases.some(({ isOpen }) => isOpen),
    startedAt: chain.first.started.wallTime,
  };
}

/** The requests of the server that came on the exchange of an item, and were for the user to answer. */
export function askedDuring(item: Item, { items }: Pick<Correlation, 'items'>): Item[] {
  if (item.httpId === undefined) return [];
  const found: Item[] = [];
  const endedAt = item.ended?.wallTime ?? Infinity;
  for (let index = indexFromSequence(items, item.sequence); index < items.length; index += 1) {
    const other = items[index];
    if (other === undefined || other.started.wallTime > endedAt) break;
    const isAsked = other.kind === 'request' && other.direction === 'incoming';
    if (isAsked && other.httpId === item.httpId) found.push(other);
  }
  return found;
}
