/** What of a keyboard event tells which key was meant. */
export interface Press {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** In the order in which keyboards name them. */
const MODIFIERS = ['Ctrl', 'Alt', 'Shift', 'Cmd'];

/** A key with the modifiers before it, joined by `+`: `Ctrl+L`, `Shift+F10`, `?`, `R`. */
export type Keys = string;

/** Whether a press is this key. Signs such as `?` are what is typed, whatever it takes on the user's keyboard. */
export function isPressed(keys: Keys, press: Press): boolean {
  const { key, held } = split(keys);
  if (held.has('Ctrl') !== press.ctrlKey || held.has('Cmd') !== press.metaKey) return false;
  if (held.has('Alt') !== press.altKey) return false;
  const isSign = key.length === 1 && !/[A-Z0-9]/.test(key);
  if (!isSign && held.has('Shift') !== press.shiftKey) return false;
  return press.key.toUpperCase() === key.toUpperCase() || press.code === latinCode(key, press);
}

/** Where the keyboard writes another script, a letter means the key on which Latin keyboards have it. */
function latinCode(key: string, press: Press): string | undefined {
  const isOtherScript = press.key.length === 1 && !/[ -~]/.test(press.key);
  return isOtherScript && /^[A-Z]$/.test(key) ? `Key${key}` : undefined;
}

function split(keys: Keys): { key: string; held: ReadonlySet<string> } {
  const parts = keys.split('+');
  const held = new Set(parts.filter((part) => MODIFIERS.includes(part)));
  // The last part, which is a plus sign where nothing stands behind one.
  return { key: parts.at(-1) || '+', held };
}

const MAC_SIGNS: Record<string, string> = { Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Cmd: '⌘' };

const KEY_NAMES: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ContextMenu: 'Menu',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
};

/** How a keyboard of that kind names a key: `Ctrl+L`, `⌘K`. */
export function nameKeys(keys: Keys, isMac: boolean): string {
  const { key, held } = split(keys);
  const name = KEY_NAMES[key] ?? key;
  const before = MODIFIERS.filter((modifier) => held.has(modifier));
  if (isMac) return before.map((modifier) => MAC_SIGNS[modifier]).join('') + name;
  return [...before, name].join('+');
}

/** The same for `aria-keyshortcuts`, which has names of its own. */
export function ariaKeys(keys: Keys): string {
  return keys.replace('Ctrl', 'Control').replace('Cmd', 'Meta');
}
