import { keysOf } from './commands.ts';
import type { Command, CommandGroup } from './commands-model.ts';
import { nameKeys } from './shortcuts.ts';
import type { Keys } from './shortcuts.ts';

export interface SheetLine {
  title: string;
  /** As this keyboard names them; any of them does it. */
  keys: string[];
}

export interface SheetGroup {
  title: string;
  lines: SheetLine[];
}

/** Keys that belong to the part of the panel that has the focus. */
const PARTS: readonly { title: string; lines: readonly [title: string, ...keys: Keys[]][] }[] = [
  {
    title: 'In the table',
    lines: [
      ['Row above, row below', 'ArrowUp', 'ArrowDown'],
      ['A page up, a page down', 'PageUp', 'PageDown'],
      ['First row, last row', 'Home', 'End'],
      ['Select up to the row above, below', 'Shift+ArrowUp', 'Shift+ArrowDown'],
      ['Select all rows', 'Ctrl+A'],
      ['Fold, unfold', 'ArrowLeft', 'ArrowRight'],
      ['Open the details', 'Enter'],
    ],
  },
  {
    title: 'In a message tree',
    lines: [
      ['Line above, line below', 'ArrowUp', 'ArrowDown'],
      ['Collapse, expand', 'ArrowLeft', 'ArrowRight'],
    ],
  },
  {
    title: 'In a menu',
    lines: [
      ['Entry above, entry below', 'ArrowUp', 'ArrowDown'],
      ['Open a submenu, go back', 'ArrowRight', 'ArrowLeft'],
      ['Entry that begins with the letters typed', 'A'],
    ],
  },
];

const ORDER: readonly CommandGroup[] = [
  'Panel',
  'Traffic',
  'Selected row',
  'Details',
  'Connections',
];

/** All keys of the panel by group, whether they do something just now or not. */
export function buildSheet(commands: readonly Command[], isMac: boolean): SheetGroup[] {
  const name = (keys: Keys) => nameKeys(keys, isMac);
  const groups = ORDER.map((group) => ({
    title: group,
    lines: commands
      .filter((command) => command.group === group && keysOf(command, isMac).length > 0)
      .map((command) => ({ title: command.title, keys: keysOf(command, isMac).map(name) })),
  }));
  const parts = PARTS.map(({ title, lines }) => ({
    title,
    lines: lines.map(([line, ...keys]) => ({ title: line, keys: keys.map(name) })),
  }));
  return [...groups.filter(({ lines }) => lines.length > 0), ...parts];
}
