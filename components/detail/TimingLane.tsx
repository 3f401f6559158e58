import type { Timing } from '../../lib/state/time/timing.ts';

/** The whole of an exchange on one line: its phases, and what came when. The tables below say it in words. */
export function TimingLane({ timing, totalMs }: { timing: Timing; totalMs: number }) {
  const total = Math.max(totalMs, 0.001);
  const place = (ms: number) => `${Math.min((ms / total) * 100, 100)}%`;
  return (
    <div class="timing-overview" aria-hidden="true">
      {timing.phases.map(({ name, kind, startMs, durationMs, isOpen }, index) => (
        <div
          key={`${name} ${index}`}
          class={`timing-${kind}`}
          title={name}
          style={{
            left: place(startMs),
            width: place(isOpen ? total - startMs : durationMs),
          }}
        />
      ))}
      {timing.ticks.map((atMs) => (
        <i key={atMs} style={{ left: place(atMs) }} />
      ))}
    </div>
  );
}
