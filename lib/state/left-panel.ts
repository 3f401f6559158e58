import type { AppModel } from './app-model.ts';
import { goToPlace } from './captures/capture-place.ts';
import { composerDeskOf, writtenDraft } from './composer/composer-desk.ts';
import type { Draft } from './composer/composer-draft.ts';
import { withoutSecrets } from './composer/composer-saved.ts';
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
  };
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
  if (row === undefined) return;
  await goToPlace(model, { row, tab: tab ?? selection.tab.peek() });
  if (tab === undefined) selection.close();
}
