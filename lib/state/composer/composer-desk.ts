import { effect, signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import { formatBytes } from '../../text.ts';
import type { AppModel } from '../app-model.ts';
import { createComposer } from './composer.ts';
import { draftOf, type Draft } from './composer-draft.ts';
import type { Composer } from './composer-model.ts';
import { openSavedRequests, type SavedRequests } from './composer-saved.ts';
import type { Composition } from './composer-send.ts';
import { createSentList, type SentList } from './composer-sent.ts';
import { describeText } from '../replay/replay-exact-send.ts';

/** What is shown in the place of the form. */
export type Beside = 'tasks' | 'subscriptions' | 'run' | 'compare';

/** All that the form for one's own requests is about. */
export interface ComposerDesk {
  composer: Composer;
  sent: SentList;
  kept: SavedRequests;
  /** What else is shown in the place of the form. */
  besides: Signal<Beside | undefined>;
  /** The server that what is kept belongs to. */
  server(): string;
  /** Saves what is written under a name. */
  save(name: string): void;
}

const desks = new WeakMap<AppModel, ComposerDesk>();

/** The desk of a panel: what was written stays while the form is closed. */
export function composerDeskOf(model: AppModel): ComposerDesk {
  const known = desks.get(model);
  if (known !== undefined) return known;
  const desk = createDesk(model);
  desks.set(model, desk);
  return desk;
}

/** What is written in the form of a panel; undefined where it was never opened. */
export function writtenDraft(model: AppModel): Draft | undefined {
  return desks.get(model)?.composer.draft();
}

function createDesk(model: AppModel): ComposerDesk {
  const { background, replay, connections } = model;
  const besides = signal<Beside | undefined>(undefined);
  const kept = openSavedRequests(model.composer.settings);
  const sent = createSentList(background, () => model.correlation.items);
  const composer = createComposer({
    background,
    connections,
    source: () => model.correlation,
    replay,
    sent(composition, carrierId, rpcId) {
      const { connectionId } = composition;
      sent.add({
        words: wordsFor(composition),
        carrierId,
        ...(rpcId === undefined ? {} : { rpcId }),
        ...(composition.kind === 'text' ? { textId: describeText(composition.text).as.rpcId } : {}),
        ...(connectionId === undefined ? {} : { connectionId }),
      });
      const { replayOf } = composition;
      if (replayOf !== undefined) replay.watch(Promise.resolve({ carrierId, replayOf }));
      kept.note(server(), wordsFor(composition), composer.draft(), Date.now());
    },
  });

  function server(): string {
    const { connection, mode, url } = composer;
    if (mode.value === 'http' && URL.canParse(url.value)) return originOf(url.value);
    return connection.value === undefined ? '' : originOf(connection.value.url);
  }

  model.watch((changed) => sent.take(changed));
  effect(() => kept.show(server()));
  effect(() => {
    const item = model.composer.toEdit.value;
    if (item !== undefined) edit(item);
  });

  function edit(item: Item): void {
    model.composer.toEdit.value = undefined;
    besides.value = undefined;
    const draft = draftOf(item, model.correlation);
    if ('refused' in draft) {
      model.desk.said.value = { words: draft.refused };
      return;
    }
    const live = composer.choices.peek();
    const { connectionId, ...alone } = draft;
    const isLive = live.some((each) => each.connectionId === connectionId);
    const record = model.correlation.connections.get(connectionId ?? '');
    const other = live.findLast(({ url }) => url === record?.url)?.connectionId;
    const on = isLive ? connectionId : other;
    composer.fill(on === undefined ? alone : { ...alone, connectionId: on });
  }

  return {
    composer,
    sent,
    kept,
    besides,
    server,
    save: (name) => kept.save(server(), name, composer.draft(), Date.now()),
  };
}

/** Paths and queries may hold secrets, and one server is one place. */
function originOf(url: string): string {
  return new URL(url.replace(/^ws/, 'http')).origin;
}

function wordsFor(composition: Composition): string {
  switch (composition.kind) {
    case 'request':
      return composition.method;
    case 'text':
      return `text: ${composition.text.slice(0, 40)}`;
    case 'binary':
      return `binary: ${formatBytes(composition.bytes.length)}`;
    case 'http':
      return `${composition.request.method} ${pathOf(composition.request.url)}`;
  }
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
