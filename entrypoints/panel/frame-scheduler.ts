import { whenShown } from '../../lib/browser/visibility.ts';

/** How long a page that is not painted although it counts as shown waits for its next drawing, in ms. */
const UNPAINTED_FRAME_MS = 250;

/**
 * Calls back with the next painted frame. A hidden page draws nothing until it is shown; a panel behind
 * another one of DevTools counts as shown but is not painted, and draws after a while.
 */
export function onNextFrame(draw: () => void): void {
  whenShown(() => {
    let isDone = false;
    function drawOnce(): void {
      if (isDone) return;
      isDone = true;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      // It may have been hidden meanwhile.
      whenShown(draw);
    }
    const frame = requestAnimationFrame(drawOnce);
    const timer = setTimeout(drawOnce, UNPAINTED_FRAME_MS);
  });
}
