/** Where each pane was last: a click on a button takes the focus away from there. */
const lastHits = new WeakMap<HTMLElement, HTMLElement>();

/** Moves the focus to the next difference below an element, or the one before; from the last one to the first. */
export function stepToDifference(pane: HTMLElement | null, step: 1 | -1): void {
  if (pane === null) return;
  const hits = [...pane.querySelectorAll<HTMLElement>('[data-hit]')];
  const focused = hits.findIndex((hit) => hit === document.activeElement);
  const from = focused < 0 ? hits.findIndex((hit) => hit === lastHits.get(pane)) : focused;
  const first = step === 1 ? 0 : hits.length - 1;
  const next = hits[from < 0 ? first : (from + step + hits.length) % hits.length];
  if (next === undefined) return;
  lastHits.set(pane, next);
  next.scrollIntoView({ block: 'center' });
  next.focus({ preventScroll: true });
}
