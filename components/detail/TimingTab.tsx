import type { AppModel } from '../../lib/state/app-model.ts';
import type { CallTiming } from '../../lib/state/time/timing-call.ts';
import type { Timing } from '../../lib/state/time/timing.ts';
import { formatClock, formatDuration } from '../../lib/text.ts';
import { TimingBar } from './TimingBar.tsx';
import { TimingDeadlines } from './TimingDeadlines.tsx';
import { TimingLane } from './TimingLane.tsx';
import { TimingPhases } from './TimingPhases.tsx';
import { TimingTable } from './TimingTable.tsx';
import './TimingTab.css';

interface TimingTabProps {
  timing: Timing;
  /** All rounds of the call, where there are several. */
  call: CallTiming | undefined;
  /** Wall time, ms, of its zero. */
  startedAt: number;
  model: Pick<AppModel, 'clock'>;
}

/** When what happened, from the moment that the item began. It grows while the item does. */
export function TimingTab({ timing, call, startedAt, model }: TimingTabProps) {
  // Looking at the clock is what makes it tick.
  const elapsedMs = timing.isRunning ? model.clock.now.value - startedAt : 0;
  const totalMs = Math.max(timing.totalMs, elapsedMs);
  const userMs = timing.phases
    .filter(({ kind }) => kind === 'user')
    .reduce((sum, phase) => sum + lengthOf(phase, totalMs), 0);
  return (
    <div class="timing">
      {timing.phases.length > 0 && <TimingLane timing={timing} totalMs={totalMs} />}
      <TimingTable
        title="Phases"
        columns={['Phase', 'Share of the time', 'Duration']}
        total={{ name: timing.isRunning ? 'So far' : 'Total', totalMs, userMs }}
      >
        <TimingPhases phases={timing.phases} totalMs={totalMs} />
      </TimingTable>
      {timing.isApproximate && (
        <p class="message-note warning">
          The background restarted in between: durations come from wall time and are approximate.
        </p>
      )}
      {call !== undefined && <CallTable call={call} model={model} />}
      {timing.gaps.length > 0 && (
        <TimingTable title="Longest pauses" columns={['Pause', 'Place in time', 'Duration']}>
          {timing.gaps.map((gap) => (
            <tr key={gap.name}>
              <th scope="row">{gap.name}</th>
              <td class="timing-lane">
                <TimingBar
                  kind="gap"
                  totalMs={totalMs}
                  startMs={gap.startMs}
                  durationMs={lengthOf(gap, totalMs)}
                />
              </td>
              <td class="timing-number">
                {formatDuration(lengthOf(gap, totalMs))}
                {gap.isOpen && '…'}
              </td>
            </tr>
          ))}
        </TimingTable>
      )}
      {timing.deadlines.length > 0 && (
        <TimingDeadlines
          deadlines={timing.deadlines}
          totalMs={totalMs}
          isRunning={timing.isRunning}
        />
      )}
      <TimingTable
        title="Moments"
        note={`from ${formatClock(startedAt)}`}
        columns={['Moment', 'Place in time', 'After']}
      >
        {timing.marks.map((mark) => (
          <tr key={mark.name}>
            <th scope="row">{mark.name}</th>
            <td class="timing-lane">
              <TimingBar kind="mark" totalMs={totalMs} startMs={mark.atMs} durationMs={0} />
            </td>
            <td class="timing-number">{formatDuration(mark.atMs)}</td>
          </tr>
        ))}
      </TimingTable>
      {timing.omittedMarks > 0 && (
        <p class="message-note dim">{timing.omittedMarks} more events: see the stream tab.</p>
      )}
    </div>
  );
}

function CallTable({ call, model }: { call: CallTiming; model: Pick<AppModel, 'clock'> }) {
  const elapsedMs = call.isRunning ? model.clock.now.value - call.startedAt : 0;
  const totalMs = Math.max(call.totalMs, elapsedMs);
  const open = call.phases.find(({ isOpen, kind }) => isOpen && kind === 'user');
  const userMs = call.userMs + (open === undefined ? 0 : lengthOf(open, totalMs));
  return (
    <TimingTable
      title="All rounds of the call"
      columns={['Round', 'Share of the time', 'Duration']}
      total={{ name: call.isRunning ? 'So far' : 'Total', totalMs, userMs }}
    >
      <TimingPhases phases={call.phases} totalMs={totalMs} />
    </TimingTable>
  );
}

interface Stretch {
  startMs: number;
  durationMs: number;
  isOpen?: true;
}

function lengthOf({ startMs, durationMs, isOpen }: Stretch, totalMs: number): number {
  return isOpen ? Math.max(totalMs - startMs, durationMs) : durationMs;
}
