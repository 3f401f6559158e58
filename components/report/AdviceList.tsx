import { adviseMoves } from '../../lib/state/report/transport-report-advice.ts';
import type { TransportReport } from '../../lib/state/report/transport-report.ts';
import { ReportWords } from './ReportWords.tsx';

/** What to change at the server to move on. */
export function AdviceList({ report }: { report: TransportReport }) {
  return (
    <>
      {adviseMoves(report).map(({ title, lines }) => (
        <section key={title} class="report-advice" aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {lines.map((line) => (
              <li key={line}>
                <ReportWords text={line} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
