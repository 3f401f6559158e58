import { judgeClients } from '../../lib/state/report/transport-report-clients.ts';
import type { ClientVerdict } from '../../lib/state/report/transport-report-clients.ts';
import { toVerdictWords } from '../../lib/state/report/transport-report-words.ts';
import type { TransportReport } from '../../lib/state/report/transport-report.ts';
import { ReportWords } from './ReportWords.tsx';

const SIGNS: Record<ClientVerdict['verdict'], string> = {
  connects: '✓',
  'by-hand': '◐',
  no: '✗',
  unproven: '?',
};

/** Which official clients would connect to the server, and why. */
export function ClientTable({ report }: { report: TransportReport }) {
  return (
    <>
      <h3>Official clients</h3>
      <div class="report-table">
        <table>
          <caption class="visually-hidden">Official clients</caption>
          <thead>
            <tr>
              <th scope="col">Client</th>
              <th scope="col">Verdict</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {judgeClients(report).map(({ client, verdict, reason, notes }) => (
              <tr key={client} class={`report-${verdict}`}>
                <th scope="row">{client}</th>
                <td>
                  <span class="report-sign" aria-hidden="true">
                    {SIGNS[verdict]}
                  </span>{' '}
                  {toVerdictWords(verdict)}
                </td>
                <td>
                  <ReportWords text={reason} />
                  {notes.map((note) => (
                    <p key={note}>
                      <ReportWords text={note} />
                    </p>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
