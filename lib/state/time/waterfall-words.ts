import { formatClock, formatCount, formatDuration } from '../../text.ts';
import type { Waterfall } from './waterfall.ts';
import type { TimeScale } from './waterfall-time.ts';

const WORDS = {
  queued: 'Queued',
  waiting: 'Waiting for the response',
  open: 'Receiving',
  user: 'Waiting for you',
} as const;

/** The figures of a waterfall, one a line; the longest silence while it was open is named. */
export function wordWaterfall(waterfall: Waterfall, scale: TimeScale): string {
  const { stretches, from, to, isRunning, pieces } = waterfall;
  const lines = [`Begun at ${formatClock(from)}`];
  for (const kind of ['queued', 'waiting', 'open', 'user'] as const) {
    const ms = stretches
      .filter((stretch) => stretch.kind === kind)
      .reduce((sum, stretch) => sum + stretch.to - stretch.from, 0);
    if (ms > 0) lines.push(`${WORDS[kind]}: ${formatDuration(ms)}`);
  }
  if (pieces !== undefined) lines.push(formatCount(pieces.list.length, pieces.unit));
  const gap = longestGap(waterfall, scale);
  if (gap !== undefined) lines.push(`Longest silence: ${formatDuration(gap)}`);
  if (stretches.length > 0) {
    lines.push(`Total: ${formatDuration(to - from)}${isRunning ? ' so far' : ''}`);
  }
  return lines.join('\n');
}

function longestGap(
  { stretches, isRunning, to, pieces }: Waterfall,
  scale: TimeScale,
): number | undefined {
  const open = stretches.find(({ kind }) => kind === 'open');
  if (open === undefined) return undefined;
  let before = open.from;
  let longest = 0;
  for (const moment of pieces?.list ?? []) {
    const time = scale.at(moment);
    longest = Math.max(longest, time - before);
    before = time;
  }
  const end = isRunning ? to : open.to;
  longest = Math.max(longest, end - before);
  return longest >= 1 ? longest : undefined;
}
