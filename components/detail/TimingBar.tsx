import type { TimingPhase } from '../../lib/state/time/timing.ts';

interface TimingBarProps {
  kind: TimingPhase['kind'] | 'gap' | 'mark' | 'deadline';
  totalMs: number;
  startMs: number;
  durationMs: number;
}

/** A stretch of time to scale, or a moment. */
export function TimingBar({ kind, totalMs, startMs, durationMs }: TimingBarProps) {
  const total = Math.max(totalMs, 0.001);
  const left = Math.min((startMs / total) * 100, 100);
  const width = Math.min((durationMs / total) * 100, 100 - left);
  // The width of a bar never falls under 2 px, so the last one must start that much earlier.
  const marginLeft = `min(${left}%, 100% - 2px)`;
  return <div class={`timing-bar timing-${kind}`} style={{ marginLeft, width: `${width}%` }} />;
}
