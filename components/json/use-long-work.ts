import { useEffect, useMemo, useReducer } from 'preact/hooks';
import { workInTurns, workOneTurn, type LongWork } from '../../lib/state/detail/long-work.ts';

/**
 * Work that begins with the drawing, so that what is short is done at once, and goes on while the component is
 * there, which is drawn again as it proceeds. It begins anew when an input changes.
 */
export function useLongWork<Work extends LongWork>(
  begin: () => Work,
  inputs: readonly unknown[],
): Work {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const work = useMemo(() => {
    const begun = begin();
    workOneTurn(begun);
    return begun;
  }, inputs);
  useEffect(() => {
    if (work.isDone) return undefined;
    return workInTurns(work, () => redraw(undefined));
    // What was done may have to go on: a stream has grown.
  }, [work, work.isDone]);
  return work;
}
