import { effect, untracked } from '@preact/signals-core';
import type { AppModel } from './app-model.ts';
import { fillAnswer, writtenAnswer, type WrittenAnswer } from './answers/answer-drafts.ts';
import { goToPlace } from './captures/capture-place.ts';
import { composerDeskOf, writtenDraft } from './composer/composer-desk.ts';
import type { Draft } from './composer/composer-draft.ts';
import { barer, withoutSecrets } from './composer/composer-saved.ts';
import { COVERS, type Cover } from './covers.ts';
import type { DetailTab } from './view/selection.ts';
import { takeView, writeView } from './view/view-memory.ts';

/** What a panel that goes away leaves to the one that takes its place. Nothing in it is a secret. */
export interface LeftPanel {
  /** The stored capture that it showed. */
  captureId?: string | undefined;
  view: string;
  /** Rows up to this moment were cleared away, in ms of wall time. */
  clearedUntil?: number | undefined;
  /** `key` of the item that was selected, with the tab of its details where they were open. */
  row?: string | undefined;
  tab?: DetailTab | undefined;
  /** The screen that lay over the traffic. */
  cover?: Cover | undefined;
  isSearching: boolean;
  /** The URL to connect to, unless it looks as if it held a secret. */
  url: string;
  isComposing: boolean;
  draft?: Draft | undefined;
  /** What was typed as answers to open questions, by `key` of each, unless it looks as if it held a secret. */
  answers?: Record<string, WrittenAnswer>;
}

/** Describes what is to be seen in a panel. */
export function describePanel(model: AppModel): LeftPanel {
  const { traffic, recorded, selection, storage, search, composer, form } = model;
  const hidden = traffic.hidden.peek();
  const draft = writtenDraft(model);
  const url = form.url.peek();
  return {
    captureId: storage.shownId,
    view: writeView(traffic),
    clearedUntil: hidden === 0 ? undefined : recorded.items[hidden - 1]?.started.wallTime,
    row: selection.item.peek()?.key,
    tab: selection.isOpen.peek() ? selection.tab.peek() : undefined,
    cover: COVERS.find((name) => model[name].isOpen.peek()),
    isSearching: search.isOpen.peek(),
    url: withoutSecrets({ mode: 'http', url }).url === url ? url : '',
    isComposing: composer.isOpen.peek(),
    draft: draft && withoutSecrets(draft),
    answers: writtenAnswers(model),
  };
}

function writtenAnswers({ questions }: AppModel): Record<string, WrittenAnswer> {
  const bare = barer();
  return Object.fromEntries(
    questions.open.peek().flatMap((question) => {
      const written = writtenAnswer(question);
      const isPlain = Object.values(written ?? {}).every((text) => bare(text) === text);
      return written !== undefined && isPlain ? [[question.key, written]] : [];
    }),
  );
}

/** Questions come with the connections, which may be told of later. */
function fillAnswers({ questions }: AppModel, answers: Record<string, WrittenAnswer>): void {
  const waiting = new Map(Object.entries(answers));
  effect(() => {
    for (const question of questions.open.value) {
      const written = waiting.get(question.key);
      if (written === undefined) continue;
      waiting.delete(question.key);
      untracked(() => fillAnswer(question, written));
    }
  });
}

/** Makes a panel look like the one that was left. */
export async function resumePanel(model: AppModel, left: LeftPanel): Promise<void> {
  const { traffic, selection, storage, search, composer, form } = model;
  const { captureId, clearedUntil, cover, row, tab, draft } = left;
  if (captureId !== storage.shownId) {
    const place = row === undefined || tab === undefined ? undefined : { row, tab };
    storage.showCapture(captureId, place);
    return;
  }
  takeView(traffic, left.view);
  if (clearedUntil !== undefined) traffic.clear(clearedUntil);
  if (cover !== undefined) model[cover].isOpen.value = true;
  search.isOpen.value = left.isSearching;
  form.url.value = left.url;
  if (draft !== undefined) composerDeskOf(model).composer.fill(draft);
  composer.isOpen.value = left.isComposing;
  if (left.answers !== undefined) fillAnswers(model, left.answers);
  if (row === undefined) return;
  await goToPlace(model, { row, tab: tab ?? selection.tab.peek() });
  if (tab === undefined) selection.close();
}
