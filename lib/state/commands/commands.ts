import type { AppModel } from '../app-model.ts';
import { connectionCommands } from './commands-connections.ts';
import type { Command, CommandDoor } from './commands-model.ts';
import { panelCommands } from './commands-panel.ts';
import { rowCommands } from './commands-row.ts';
import { trafficCommands } from './commands-traffic.ts';
import { isPressed } from './shortcuts.ts';
import type { Keys, Press } from './shortcuts.ts';

/** Everything that can be done at some time, in the order in which it is offered. */
export function listCommands(model: AppModel, door: CommandDoor): Command[] {
  return [
    ...panelCommands(model, door),
    ...trafficCommands(model, door),
    ...rowCommands(model, door),
    ...connectionCommands(model, door),
  ];
}

/** Whether a command can be run now. */
export function isPossible(command: Command): boolean {
  return command.isPossible?.() !== false;
}

/** The keys of a command on this kind of keyboard. */
export function keysOf(command: Command, isMac: boolean): readonly Keys[] {
  return command.keys?.[isMac ? 'mac' : 'other'] ?? [];
}

/** The command that a press means; undefined where it means none that is possible now. */
export function findCommand(
  commands: readonly Command[],
  press: Press,
  where: { isMac: boolean; isTyping: boolean },
): Command | undefined {
  return commands.find(
    (command) =>
      keysOf(command, where.isMac).some(
        (keys) => isPressed(keys, press) && (!where.isTyping || isForFields(command, keys)),
      ) && isPossible(command),
  );
}

/** Whoever is typing means the character. */
function isForFields(command: Command, keys: Keys): boolean {
  return keys === 'Escape' || (command.isForFields === true && /^(?:Ctrl|Cmd)\+/.test(keys));
}
