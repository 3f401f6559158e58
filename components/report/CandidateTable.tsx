import type { AppModel } from '../../lib/state/app-model.ts';
import type { ReportOutcome, ReportRow } from '../../lib/state/report/transport-report.ts';
import {
  toCandidateTitle,
  toOutcomeWords,
  toSessionWords,
  toStreamWords,
} from '../../lib/state/report/transport-report-words.ts';
import { formatBytes, formatDuration } from '../../lib/text.ts';
import { ReportWords } from './ReportWords.tsx';

const SIGNS: Record<ReportOutcome, string> = {
  waiting: '·',
  running: '…',
  answered: '✓',
  'not-this': '–',
  refused: '✗',
  stopped: '·',
  interrupted: '·',
};

/** Every transport and revision that was tried, side by side. */
export function CandidateTable({ rows, model }: { rows: ReportRow[]; model: AppModel }) {
  return (
    <div class="report-table">
      <table>
        <caption class="visually-hidden">Transports and revisions</caption>
        <thead>
          <tr>
            <th scope="col">Tried</th>
            <th scope="col">Outcome</th>
            <th scope="col">Session</th>
            <th scope="col">GET stream</th>
            <th scope="col" class="number" title="HTTP exchanges and sockets until it was decided">
              Exchanges
            </th>
            <th scope="col" class="number" title="Bodies and frames, both directions">
              Bytes
            </th>
            <th scope="col" class="number" title="From the first request until it was decided">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <CandidateRow key={row.candidate} row={row} model={model} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CandidateRow({ row, model }: { row: ReportRow; model: AppModel }) {
  const { problem, durationMs } = row;
  return (
    <tr class={`report-${row.outcome}`}>
      <th scope="row">
        <CandidateLink row={row} model={model} />
      </th>
      <td>
        <span class="report-sign" aria-hidden="true">
          {SIGNS[row.outcome]}
        </span>{' '}
        <ReportWords text={toOutcomeWords(row)} />
        {problem !== undefined && (
          <p class="dim">
            <ReportWords text={problem.message} />
          </p>
        )}
      </td>
      <td>{toSessionWords(row)}</td>
      <td>{toStreamWords(row)}</td>
      <td class="number">{row.exchanges}</td>
      <td class="number">{formatBytes(row.sizeBytes)}</td>
      <td class="number">{durationMs !== undefined && formatDuration(durationMs)}</td>
    </tr>
  );
}

/** Leads to the first exchange of the candidate in the traffic. */
function CandidateLink({ row, model }: { row: ReportRow; model: AppModel }) {
  const title = toCandidateTitle(row);
  if (row.exchanges === 0) return <ReportWords text={title} />;

  function show(): void {
    const item = model.correlation.items.find(
      ({ connectionId, kind }) => connectionId === row.connectionId && kind !== 'lifecycle',
    );
    if (item === undefined) return;
    model.report.isOpen.value = false;
    model.selection.openAt(item, 'message');
  }

  return (
    <button type="button" class="link" title="Show its exchanges in the traffic" onClick={show}>
      <ReportWords text={title} />
    </button>
  );
}
