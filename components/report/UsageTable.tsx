import { toTransportName } from '../../lib/state/report/transport-report-words.ts';
import type { UsageCount } from '../../lib/capture/store/capture-description.ts';

/** What connections have used so far. */
export function UsageTable({ counts }: { counts: readonly UsageCount[] }) {
  return (
    <section aria-label="Used over all captures">
      <h3>Used over all captures</h3>
      {counts.length === 0 ? (
        <p class="dim">No connection was made yet; what a report tries does not count.</p>
      ) : (
        <div class="report-table">
          <table class="usage-table">
            <caption class="visually-hidden">Used over all captures</caption>
            <thead>
              <tr>
                <th scope="col">Transport</th>
                <th scope="col">Era</th>
                <th scope="col">Revision</th>
                <th scope="col" class="number">
                  Connections
                </th>
              </tr>
            </thead>
            <tbody>
              {counts.map(({ transport, era, revision, connections }) => (
                <tr key={`${transport} ${era} ${revision}`}>
                  <th scope="row">{toTransportName(transport)}</th>
                  <td>{era}</td>
                  <td>{revision}</td>
                  <td class="number">{connections.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
