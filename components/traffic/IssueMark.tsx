import type { IssueMark as Mark } from '../../lib/state/view/issues.ts';
import { formatCount } from '../../lib/text.ts';

/** The sign on a row that has issues. */
export function IssueMark({ mark }: { mark: Mark }) {
  return (
    <span class={`row-issues issue-${mark.severity}`}>
      <span aria-hidden="true">▲{mark.count}</span>
      <span class="visually-hidden">{formatCount(mark.count, 'issue')}</span>
    </span>
  );
}
