/** Puts the focus where an address is typed, and where Enter connects. */
export function focusUrl(): void {
  document.getElementById('connect-url')?.focus();
}
