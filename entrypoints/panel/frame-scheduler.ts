import { whenShown } from '../../lib/browser/page/visibility.ts';

/** How long a page that is not painted although it counts as shown waits for its next drawing, in ms. */
const UNPAINTED_FRAME_MS = 250;

/** How long a drawing stays in a flood before the next one, in ms: nobody can read more of them. */
const BUSY_REST_MS = 100;

let drawnAt = -Infinity;

/**
 * Calls back with the next painted frame, or, while there is much to draw, when one has stayed for a while. A
 * hidden page draws nothing until it is shown; a panel behind another one of DevTools counts as shown but is not
 * painted, and draws after a while.
 */
export function onNextFrame(draw: () => void, isBusy: boolean): void {
  whenShown(() => {
    const restMs = drawnAt + BUSY_REST_MS - performance.now();
    if (isBusy && restMs > 0) setTimeout(() => drawWithFrame(draw), restMs);
    else drawWithFrame(draw);
  });
}

function drawWithFrame(draw: () => void): void {
  let isDone = false;
  function drawOnce(): void {
    if (isDone) return;
    isDone = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    drawnAt = performance.now();
    // It may have been hidden meanwhile.
    whenShown(draw);
  }
  const frame = requestAnimationFrame(drawOnce);
  const timer = setTimeout(drawOnce, UNPAINTED_FRAME_MS);
}
