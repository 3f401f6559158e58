/** What of a document tells whether anybody can see it. */
type SeenPage = Pick<EventTarget, 'addEventListener' | 'removeEventListener'> &
  Pick<Document, 'hidden'>;

/** Calls `act` now, or, in a hidden page, once it is shown. */
export function whenShown(act: () => void, page: SeenPage = document): void {
  if (!page.hidden) return act();
  const shown = () => {
    if (page.hidden) return;
    page.removeEventListener('visibilitychange', shown);
    act();
  };
  page.addEventListener('visibilitychange', shown);
}

/** Calls `tick` again and again while the page is shown, and at once when that begins anew. */
export function everyWhileShown(
  periodMs: number,
  tick: () => void,
  page: SeenPage = document,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const start = () => (timer = setInterval(tick, periodMs));
  const changed = () => {
    clearInterval(timer);
    if (page.hidden) return;
    tick();
    start();
  };
  page.addEventListener('visibilitychange', changed);
  if (!page.hidden) start();
  return () => {
    clearInterval(timer);
    page.removeEventListener('visibilitychange', changed);
  };
}
