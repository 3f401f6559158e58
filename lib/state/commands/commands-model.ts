import type { Signal } from '@preact/signals-core';
import type { AppModel } from '../app-model.ts';
import { COVERS } from '../covers.ts';
import type { Keys } from './shortcuts.ts';

export type CommandGroup = 'Panel' | 'Traffic' | 'Selected row' | 'Details' | 'Connections';

/** Something that the panel can do, in one place for keys, palette, sheet and menus. */
export interface Command {
  id: string;
  title: string;
  group: CommandGroup;
  keys?: CommandKeys;
  /** Absent where it always is. */
  isPossible?(): boolean;
  run(): void;
  /** Its keys count even while the user is typing in a field. */
  isForFields?: true;
  /** Too small a step to be chosen by its name. */
  isStep?: true;
}

/** The first of each is the one that menus name. */
export interface CommandKeys {
  mac: readonly Keys[];
  other: readonly Keys[];
}

/** What commands need of the page. */
export interface CommandDoor {
  /** Moves the focus to the element with an id. */
  focus(id: string): void;
  /** Clicks the element with an id. */
  press(id: string): void;
  /** Closes the topmost dialog; false where none is open. */
  closeDialog(): boolean;
  /** Whether text is selected: copying is about that, then. */
  hasSelectedText(): boolean;
  /** Opens the menu of the selected row, where that row is. */
  openRowMenu(): void;
  copyMessage(): void;
}

/** The same keys on every keyboard. */
export function everywhere(...keys: Keys[]): CommandKeys {
  return { mac: keys, other: keys };
}

/** `Ctrl` with a key, or what stands for it on a Mac. */
export function withControl(key: string): CommandKeys {
  return { mac: [`Cmd+${key}`], other: [`Ctrl+${key}`] };
}

/** What lies over the traffic when it is open. Only one of them is, at any time. */
export function coversOf(model: AppModel): { isOpen: Signal<boolean> }[] {
  return COVERS.map((name) => model[name]);
}

/** Whether something lies over the traffic, so that its keys mean nothing. */
export function isCovered(model: AppModel): boolean {
  return coversOf(model).some(({ isOpen }) => isOpen.value);
}

/** Hides the rows so far, and lets go of the one that was selected. Nothing is deleted. */
export function clearTraffic({ traffic, selection }: AppModel): void {
  traffic.clear();
  selection.close();
  selection.select(undefined);
}
