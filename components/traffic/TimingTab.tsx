import type { Timing } from '../../lib/state/timing.ts';
import { formatClock, formatDuration } from '../../lib/text.ts';
import './TimingTab.css';

interface TimingTabProps {
  timing: Timing;
  /** Wall time, ms, of its zero. */
  startedAt: number;
}

/** When what happened, from the moment that the item began. */
export function TimingTab({ timing, startedAt }: TimingTabProps) {
  return (
    <div class="timing">
      <section class="detail-section" aria-labelledby="timing-phases">
        <div class="detail-head">
          <h2 id="timing-phases">Phases</h2>
        </div>
        <table class="timing-table">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Phase</th>
              <th scope="col">Share of the time</th>
              <th scope="col">Duration</th>
            </tr>
          </thead>
          <tbody>
            {timing.phases.map((phase) => (
              <tr key={phase.name}>
                <th scope="row">{phase.name}</th>
                <td class="timing-lane">
                  <Bar timing={timing} startMs={phase.startMs} durationMs={phase.durationMs} />
                </td>
                <td class="timing-number">{formatDuration(phase.durationMs)}</td>
              </tr>
            ))}
            <tr class="timing-total">
              <th scope="row">{timing.isRunning ? 'So far' : 'Total'}</th>
              <td class="timing-number" colSpan={2}>
                {formatDuration(timing.totalMs)}
              </td>
            </tr>
          </tbody>
        </table>
        {timing.isApproximate && (
          <p class="warning">
            The background restarted in between: durations come from wall time and are approximate.
          </p>
        )}
      </section>
      <section class="detail-section" aria-labelledby="timing-moments">
        <div class="detail-head">
          <h2 id="timing-moments">Moments</h2>
          <span class="dim">from {formatClock(startedAt)}</span>
        </div>
        <table class="timing-table">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Moment</th>
              <th scope="col">Place in time</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {timing.marks.map((mark) => (
              <tr key={mark.name}>
                <th scope="row">{mark.name}</th>
                <td class="timing-lane">
                  <Bar timing={timing} startMs={mark.atMs} durationMs={0} />
                </td>
                <td class="timing-number">{formatDuration(mark.atMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {timing.omittedMarks > 0 && (
          <p class="dim">{timing.omittedMarks} more events: see the stream tab.</p>
        )}
      </section>
    </div>
  );
}

interface BarProps {
  timing: Timing;
  startMs: number;
  durationMs: number;
}

function Bar({ timing, startMs, durationMs }: BarProps) {
  const total = Math.max(timing.totalMs, 0.001);
  const left = Math.min((startMs / total) * 100, 100);
  const width = Math.min((durationMs / total) * 100, 100 - left);
  // The width of a bar never falls under 2 px, so the last one must start that much earlier.
  const marginLeft = `min(${left}%, 100% - 2px)`;
  return <div class="timing-bar" style={{ marginLeft, width: `${width}%` }} />;
}
