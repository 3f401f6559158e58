/** How long a page that is never painted waits for its next drawing, in ms. */
const HIDDEN_FRAME_MS = 250;

/** Calls back with the next painted frame; in a hidden page, which paints none, after a while. */
export function onNextFrame(draw: () => void): void {
  let isDone = false;
  function drawOnce(): void {
    if (isDone) return;
    isDone = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    draw();
  }
  const frame = requestAnimationFrame(drawOnce);
  const timer = setTimeout(drawOnce, HIDDEN_FRAME_MS);
}
