import { createTurns } from '../../turns.ts';

/** Work that would stop the page if it were done at once. */
export interface LongWork {
  readonly isDone: boolean;
  /** A small part of it, of a millisecond or less. */
  step(): void;
}

/** Looking at it more often than this tells nobody more. Milliseconds. */
const TELL_EVERY_MS = 100;

/** As much as one turn has room for: short work is done then. */
export function workOneTurn(work: LongWork): void {
  const turns = createTurns();
  while (!work.isDone && !turns.isOver) work.step();
}

/** Goes on until it is done or the returned function is called. `changed` is told now and then, and at the end. */
export function workInTurns(work: LongWork, changed: () => void): () => void {
  let isGivenUp = false;
  let toldAt = performance.now();

  async function go(): Promise<void> {
    const turns = createTurns();
    while (!work.isDone) {
      work.step();
      if (!turns.isOver) continue;
      if (performance.now() - toldAt > TELL_EVERY_MS) {
        changed();
        toldAt = performance.now();
      }
      await turns.next();
      if (isGivenUp) return;
    }
    changed();
  }

  void go();
  return () => {
    isGivenUp = true;
  };
}
