import type { AppModel } from '../../lib/state/app-model.ts';
import type { ReplayRun, RunRow } from '../../lib/state/replay/replay-run.ts';
import { toRow } from '../../lib/state/view/rows.ts';

/** So many lines are drawn at most; a longer run shows its newest. */
const MOST = 500;

/** What came of each request of a run. */
export function RunTable({ run, model }: { run: ReplayRun; model: AppModel }) {
  const rows = run.rows.value;
  if (rows.length === 0) return null;
  const from = Math.max(0, rows.findLastIndex(({ state }) => state !== 'waiting') - MOST + 50);
  return (
    <table class="run-table" aria-label="Result of the replay">
      <thead>
        <tr>
          <th scope="col">#</th>
          <th scope="col">Request</th>
          <th scope="col">Was</th>
          <th scope="col">Is</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(from, from + MOST).map((row, index) => (
          <RunLine key={row.origin.key} number={from + index + 1} row={row} model={model} />
        ))}
      </tbody>
    </table>
  );
}

function RunLine({ number, row, model }: { number: number; row: RunRow; model: AppModel }) {
  const { origin, replay, state, weight, note = '' } = row;
  const was = toRow(origin, model.correlation);
  const is = replay && toRow(replay, model.correlation);
  const isDifferent = weight === 'different';
  return (
    <tr>
      <td>{number}</td>
      <td>
        {was.name} <strong>{was.target}</strong>
      </td>
      <td>
        {was.status} <span class="dim">{was.duration}</span>
      </td>
      <td>
        {is?.status} <span class="dim">{is?.duration}</span>
      </td>
      <td class={isDifferent || state === 'not-sent' ? 'warning' : ''}>
        {wordsFor(row)}
        {note !== '' && ` (${note})`}{' '}
        {replay !== undefined && (
          <button
            type="button"
            class="link"
            aria-label={`Compare ${was.name}, number ${number}`}
            onClick={() => model.selection.openAt(replay, 'replay')}
          >
            Compare
          </button>
        )}
      </td>
    </tr>
  );
}

function wordsFor({ state, weight }: RunRow): string {
  if (state === 'waiting') return '';
  if (state === 'sent') return 'on its way';
  if (state === 'not-sent') return 'not sent';
  if (weight === 'different') return 'different';
  return weight === 'volatile' ? 'same but for ids and times' : 'same';
}
