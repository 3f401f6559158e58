import type { TimingDeadline } from '../../lib/state/time/timing-deadlines.ts';
import { formatCount, formatDuration } from '../../lib/text.ts';
import { TimingBar } from './TimingBar.tsx';
import { TimingTable } from './TimingTable.tsx';

interface TimingDeadlinesProps {
  deadlines: readonly TimingDeadline[];
  totalMs: number;
  isRunning: boolean;
}

/** The limits that were set to an exchange, and what became of them. */
export function TimingDeadlines({ deadlines, totalMs, isRunning }: TimingDeadlinesProps) {
  return (
    <TimingTable title="Deadlines" columns={['Deadline', 'Place in time', 'What became of it']}>
      {deadlines.map((deadline, index) => (
        <tr key={`${deadline.name} ${index}`}>
          <th scope="row">
            {deadline.name}, {formatDuration(deadline.durationMs)}
            {deadline.extended > 0 && (
              <div class="dim">
                extended {formatCount(deadline.extended, 'time')}, last at{' '}
                {formatDuration(deadline.lastMs)}
              </div>
            )}
          </th>
          <td class="timing-lane">
            <TimingBar
              kind="deadline"
              totalMs={totalMs}
              startMs={deadline.startMs}
              durationMs={(deadline.firedMs ?? totalMs) - deadline.startMs}
            />
          </td>
          <td class={`timing-number${deadline.firedMs === undefined ? '' : ' error'}`}>
            {toWords(deadline, totalMs, isRunning)}
          </td>
        </tr>
      ))}
    </TimingTable>
  );
}

function toWords(deadline: TimingDeadline, totalMs: number, isRunning: boolean): string {
  const { lastMs, durationMs, firedMs } = deadline;
  if (firedMs !== undefined) return `fired, ${formatDuration(firedMs)}`;
  return isRunning ? `${formatDuration(lastMs + durationMs - totalMs)} left` : 'met';
}
