import type { Item } from '../../capture/correlate/items.ts';
import type { AppModel } from '../app-model.ts';
import { decisiveItem } from '../view/call-state.ts';
import { canSend } from '../connect/connection-state.ts';
import { clearTraffic } from './commands-model.ts';
import { replayMarked } from './commands-row.ts';
import { causeEntries } from './context-menu-causes.ts';
import { filterEntries } from './context-menu-filter.ts';
import { sortEntries } from './context-menu-sort.ts';
import type { CopyDesk } from '../copy/copy-desk.ts';
import { COPY_TITLES, copyKinds } from '../copy/copy-item.ts';
import { openToEdit } from '../composer/composer-opening.ts';
import { isReplayable } from '../replay/replay-links.ts';

/** One line of a menu. Ids are stable: palette and tests know entries by them. */
export type MenuEntry =
  /** `commandId` names the command that does the same, for its keys. */
  | { kind: 'action'; id: string; title: string; commandId?: string; run(): void }
  | { kind: 'choice'; id: string; title: string; isChosen: boolean; run(): void }
  | { kind: 'submenu'; id: string; title: string; entries: readonly MenuEntry[] }
  | { kind: 'separator' };

/** What can be done with a row, grouped as in a menu. Nothing in it is without effect. */
export function buildRowMenu(item: Item, model: AppModel, copies: CopyDesk): MenuEntry[] {
  return grouped([
    copyEntries(item, model, copies),
    filterEntries(item, model),
    selectionEntries(model),
    [...causeEntries(item, model), ...requestEntries(item, model)],
    [
      { kind: 'submenu', id: 'sort', title: 'Sort by', entries: sortEntries(model) },
      {
        kind: 'action',
        id: 'clear',
        title: 'Clear',
        commandId: 'clear',
        run: () => clearTraffic(model),
      },
    ],
  ]);
}

/** Groups with a line between them; empty ones leave none. */
function grouped(groups: readonly MenuEntry[][]): MenuEntry[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [{ kind: 'separator' } as const, ...group]));
}

function copyEntries(item: Item, model: AppModel, copies: CopyDesk): MenuEntry[] {
  const entries: MenuEntry[] = copyKinds(item, model.correlation).map((kind) => ({
    kind: 'action',
    id: `copy-${kind}`,
    title: COPY_TITLES[kind],
    ...(kind === 'message' ? { commandId: 'copy' } : {}),
    run: () => void copies.copy(kind, item),
  }));
  const secret: MenuEntry[] = copies.kindsWithSecrets(item).map((kind) => ({
    kind: 'action',
    id: `copy-${kind}-with-secrets`,
    title: COPY_TITLES[kind],
    run: () => void copies.copyWithSecrets(kind, item),
  }));
  return [
    {
      kind: 'submenu',
      id: 'copy',
      title: 'Copy',
      entries: [
        ...entries,
        { kind: 'separator' },
        {
          kind: 'action',
          id: 'copy-shown',
          title: 'All rows shown as JSON lines',
          run: () => void copies.copyShown(),
        },
      ],
    },
    ...(secret.length === 0
      ? []
      : [
          {
            kind: 'submenu',
            id: 'copy-with-secrets',
            title: 'Copy with secrets',
            entries: secret,
          } as const,
        ]),
  ];
}

function selectionEntries(model: AppModel): MenuEntry[] {
  if (model.selection.marks.value.size === 0) return [];
  return [
    {
      kind: 'action',
      id: 'replay-selection',
      title: 'Replay selection in order',
      run: () => void replayMarked(model),
    },
  ];
}

function replayEntries(item: Item, { replay, composer }: AppModel): MenuEntry[] {
  if (!isReplayable(item)) return [];
  return [
    {
      kind: 'action',
      id: 'replay',
      title: 'Replay',
      commandId: 'replay',
      run: () => replay.start(item),
    },
    {
      kind: 'action',
      id: 'replay-exact',
      title: 'Replay as it was',
      commandId: 'replay-exact',
      run: () => replay.startExact(item),
    },
    {
      kind: 'action',
      id: 'replay-edit',
      title: 'Edit and replay…',
      commandId: 'replay-edit',
      run: () => openToEdit(composer, item),
    },
  ];
}

/** What can be done about a request: send it again, answer it, give it up. */
function requestEntries(item: Item, model: AppModel): MenuEntry[] {
  const { connector, questions, correlation } = model;
  const decisive = decisiveItem(item, correlation);
  const entries: MenuEntry[] = replayEntries(item, model);
  if (decisive.kind !== 'request') return entries;
  const question = questions.find(decisive);
  if (question !== undefined) {
    const run = () => questions.show(question);
    entries.push({ kind: 'action', id: 'answer', title: 'Answer', run });
  }
  const { connectionId, rpcId, direction, outcome } = decisive;
  const isLive = model.connections.value.some(
    (connection) => connection.connectionId === connectionId && canSend(connection),
  );
  if (direction === 'outgoing' && outcome === 'pending' && connectionId !== undefined && isLive) {
    const run = () => connector.cancelRequest(connectionId, rpcId);
    entries.push({ kind: 'action', id: 'cancel', title: 'Cancel the request', run });
  }
  return entries;
}
