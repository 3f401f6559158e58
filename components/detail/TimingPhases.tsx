import type { TimingPhase } from '../../lib/state/time/timing.ts';
import { formatDuration } from '../../lib/text.ts';
import { TimingBar } from './TimingBar.tsx';

/** Stretches of time, one row each; what is open lasts until now. */
export function TimingPhases({
  phases,
  totalMs,
}: {
  phases: readonly TimingPhase[];
  totalMs: number;
}) {
  return (
    <>
      {phases.map(({ name, kind, startMs, durationMs, isOpen }, index) => {
        const length = isOpen ? Math.max(totalMs - startMs, durationMs) : durationMs;
        return (
          <tr key={`${name} ${index}`}>
            <th scope="row">{name}</th>
            <td class="timing-lane">
              <TimingBar kind={kind} totalMs={totalMs} startMs={startMs} durationMs={length} />
            </td>
            <td class="timing-number">
              {formatDuration(length)}
              {isOpen && '…'}
            </td>
          </tr>
        );
      })}
    </>
  );
}
