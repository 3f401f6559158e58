import type { ConnectionSummary } from '../../port/contract.ts';
import type { AppModel } from '../app-model.ts';
import type { Command, CommandDoor } from './commands-model.ts';
import { canSend, isOver } from '../connect/connection-state.ts';
import { toServerTitle } from '../connect/server-title.ts';

/** What can be done about connections: those that are there, and new ones. */
export function connectionCommands(model: AppModel, door: CommandDoor): Command[] {
  const { options, form, connector, connections, recentServers } = model;
  const commands: Command[] = [
    {
      id: 'connect',
      title: 'Connect to a server',
      run: () => door.focus('connect-url'),
    },
    {
      id: 'connect-options',
      title: 'Connection options',
      run: () => (options.isOpen.value = !options.isOpen.value),
    },
    ...connections.value.flatMap((connection) => commandsOf(connection, model, door)),
    ...recentServers.list.value.map(({ url, ...server }) => ({
      id: `connect-${url}`,
      title: `Connect to ${url}`,
      run: () => {
        form.use({ url, ...server });
        const request = form.toRequest();
        if (request !== undefined) connector.connect(request);
      },
    })),
  ].map((command) => ({ ...command, group: 'Connections' }));
  return commands;
}

function commandsOf(connection: ConnectionSummary, model: AppModel, door: CommandDoor) {
  const { connectionId } = connection;
  const title = toServerTitle(connection);
  const command = (id: string, words: string, run: () => void) => ({
    id: `${id}-${connectionId}`,
    title: `${words} ${title}`,
    run,
  });
  const isThere = canSend(connection) || isOver(connection);
  return [
    ...(isOver(connection)
      ? [
          command('reconnect', 'Reconnect', () => model.reconnect(connection)),
          command('dismiss', 'Dismiss', () => model.connector.dismiss(connectionId)),
        ]
      : [command('disconnect', 'Disconnect', () => model.connector.disconnect(connectionId))]),
    ...(isThere && connection.transport !== undefined
      ? [command('lab', 'Lab of', () => door.press(`lab-${connectionId}`))]
      : []),
  ];
}
