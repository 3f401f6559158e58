import type { LifecycleItem } from './items.ts';

/** What the row of a new life of the worker says, where the old one left exchanges open. */
export function wordRestart(cut: number): Pick<LifecycleItem, 'level' | 'title' | 'detail'> {
  const what = cut === 1 ? '1 open exchange was' : `${cut} open exchanges were`;
  return {
    level: 'warning',
    title: 'Worker restarted',
    detail: `${what} cut off; all that was shown is kept`,
  };
}
