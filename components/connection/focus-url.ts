/** The form that connects: a field elsewhere that names it connects by Enter too. */
export const FORM_ID = 'connect-form';

/** Puts the focus where an address is typed, and where Enter connects. */
export function focusUrl(): void {
  document.getElementById('connect-url')?.focus();
}
