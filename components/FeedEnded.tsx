import type { AppModel } from '../lib/state/app-model.ts';
import { ProblemNotice } from './ProblemNotice.tsx';

/** Says that nothing comes any more, and what to do about it. */
export function FeedEnded({ feed }: Pick<AppModel, 'feed'>) {
  const status = feed.value;
  return status.kind === 'ended' ? <ProblemNotice problem={status.problem} isAlert /> : null;
}
