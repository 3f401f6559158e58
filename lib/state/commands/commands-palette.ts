import type { AppModel } from '../app-model.ts';
import { noteUse } from './commands-desk.ts';
import { matchFuzzy } from './commands-match.ts';
import { isPossible, listCommands } from './commands.ts';
import type { Command, CommandDoor } from './commands-model.ts';
import { buildRowMenu } from './context-menu.ts';
import type { MenuEntry } from './context-menu.ts';
import type { CopyDesk } from '../copy/copy-desk.ts';

/** A command as the palette offers it. */
export interface PaletteEntry {
  command: Command;
  /** Offsets of the letters that were typed. */
  places: readonly number[];
}

/** All that can be chosen by its name now: commands, and what the menu of the selected row has besides. */
export function listChoices(model: AppModel, door: CommandDoor, copies: CopyDesk): Command[] {
  const commands = listCommands(model, door).filter(
    (command) => command.isStep !== true && isPossible(command),
  );
  const item = model.selection.item.value;
  const known = new Set(commands.map(({ id }) => id));
  const ofRow = item === undefined ? [] : flatten(buildRowMenu(item, model, copies));
  return [...commands, ...ofRow.filter(({ id }) => !known.has(id))];
}

function flatten(entries: readonly MenuEntry[], above = ''): Command[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'separator') return [];
    const title = above === '' ? entry.title : `${above} ${lowered(entry.title)}`;
    if (entry.kind === 'submenu') return flatten(entry.entries, title);
    return [{ id: entry.id, title, group: 'Selected row', run: entry.run }];
  });
}

/** Names such as URL keep their capitals. */
function lowered(title: string): string {
  return /^[A-Z][a-z ]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

/** The commands that fit what was typed, best first; without a query those used last come first. */
export function findChoices(
  query: string,
  choices: readonly Command[],
  recent: readonly string[],
): PaletteEntry[] {
  const rank = (id: string) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  if (query.trim() === '') {
    return choices
      .toSorted((one, other) => rank(one.id) - rank(other.id))
      .map((command) => ({ command, places: [] }));
  }
  return choices
    .flatMap((command) => {
      const match = matchFuzzy(query, command.title);
      return match === undefined ? [] : [{ command, ...match }];
    })
    .toSorted(
      (one, other) => other.score - one.score || rank(one.command.id) - rank(other.command.id),
    );
}

/** Runs what was chosen, and remembers that. */
export function runChoice({ desk }: AppModel, { id, run }: Command): void {
  noteUse(desk, id);
  run();
}
