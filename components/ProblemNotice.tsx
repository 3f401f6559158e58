import type { Problem } from '../lib/errors.ts';
import { CodeText } from './ui/CodeText.tsx';
import './ProblemNotice.css';

/** A problem: what happened, what can be done, and the platform's own words. */
export function ProblemNotice({ problem, isAlert }: { problem: Problem; isAlert?: boolean }) {
  return (
    <div class="problem" role={isAlert ? 'alert' : undefined}>
      <p>
        <span class="problem-sign" aria-hidden="true">
          ▲
        </span>{' '}
        <strong>
          <CodeText text={problem.message} />
        </strong>{' '}
        <CodeText text={problem.advice} />
      </p>
      {problem.detail !== undefined && <pre class="problem-detail">{problem.detail}</pre>}
    </div>
  );
}
