/** Puts text on the clipboard; resolves with whether it worked. To be called within a click. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

/** Chromium's DevTools denies its panels the clipboard API, yet lets this old command through. */
function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('aria-hidden', 'true');
  document.body.append(field);
  field.select();
  const worked = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return worked;
}
