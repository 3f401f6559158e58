/** What can be put right: a control that is wrong, or the first one of a group that is. */
const WRONG =
  '[aria-invalid="true"], fieldset.is-invalid > legend button, fieldset.is-invalid input';

/** Moves the focus to the first thing in a form that is wrong, once that is marked. */
export function focusFault(form: () => HTMLElement | null): void {
  // It is marked with the next drawing.
  requestAnimationFrame(() => form()?.querySelector<HTMLElement>(WRONG)?.focus());
}
