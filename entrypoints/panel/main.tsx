import { options, render } from 'preact';
import { App } from '../../components/App.tsx';
import {
  canRequestPermission,
  hostPattern,
  openGrantPage,
  requestHost,
} from '../../lib/browser/page/page.ts';
import {
  openCaptureTab,
  openLogFeed,
  openStoredLogFeed,
  readStoredBlocks,
  showCapture,
} from '../../lib/browser/page/page-log.ts';
import { loadExample, watchInspected } from '../../lib/browser/page/first-steps.ts';
import { pageSettings } from '../../lib/browser/page/page-settings.ts';
import { settingsStore } from '../../lib/browser/page/settings-store.ts';
import { followTheme } from '../../lib/browser/page/theme.ts';
import { watchUpdate } from '../../lib/browser/page/update.ts';
import { pageViewMemory } from '../../lib/browser/page/view-memory.ts';
import { whenShown } from '../../lib/browser/page/visibility.ts';
import { createCorrelation } from '../../lib/capture/correlate/correlate.ts';
import { createHeldBytes } from '../../lib/capture/correlate/held-bytes.ts';
import { DEFAULT_CONNECT } from '../../lib/port/contract.ts';
import type { SavedSettings } from '../../lib/profiles/settings.ts';
import { createAppModel } from '../../lib/state/app-model.ts';
import { onNextFrame } from './frame-scheduler.ts';
import { openFileWorker } from './open-file-worker.ts';
import { openSearchWorker } from './open-search-worker.ts';
import { pageClock } from './page-clock.ts';
import { pageSlices } from './page-slices.ts';

// What changes while nobody can see it is rendered once, when the page is shown.
options.debounceRendering = (rerender) => void Promise.resolve().then(() => whenShown(rerender));

/** With what the user has set: nothing is drawn twice. */
function start(saved: SavedSettings): void {
  followTheme(saved);

  /** A stored capture that this page was opened for. */
  const query = new URLSearchParams(location.search);
  const captureId = query.get('capture');
  /** Where in it, or in what is live, this page is to lead. */
  const placeText = query.get('at');
  /** The connection whose server it is to show. */
  const serverId = query.get('server');

  const model = createAppModel({
    openFeed: (handlers) =>
      captureId === null ? openLogFeed(handlers) : openStoredLogFeed(captureId, handlers),
    correlation: createCorrelation(),
    door: { canRequest: canRequestPermission(), hostPattern, requestHost, openGrantPage },
    defaults: { ...DEFAULT_CONNECT, ...saved.connect },
    saved: settingsStore,
    clock: pageClock,
    slices: pageSlices,
    viewMemory: pageViewMemory,
    onNextFrame,
    held: createHeldBytes({ readBlocks: readStoredBlocks }),
    settings: pageSettings,
    captures: {
      shownId: captureId ?? undefined,
      showCapture,
      openCapture: openCaptureTab,
      loadFiles: async () => {
        const { createCaptureFiles } = await import('../../lib/browser/page/capture-files.ts');
        return createCaptureFiles(openFileWorker);
      },
      loadShelf: async () => (await import('../../lib/browser/page/capture-shelf.ts')).pageShelf,
    },
    openSearchWorker,
    watchUpdate,
    watchInspected,
    firstSteps: { loadExample },
    loadVisits: async () => (await import('../../lib/browser/page/server-visits.ts')).serverVisits,
  });

  const root = document.getElementById('root');
  if (root !== null) render(<App model={model} />, root);

  if (serverId !== null) {
    model.server.wanted.value = serverId;
    model.server.isOpen.value = true;
  }
  void import('./dock-change.ts').then(({ surviveDockChange }) => surviveDockChange(model));
  if (placeText !== null) {
    void import('../../lib/state/captures/capture-place.ts').then(({ leadTo }) =>
      leadTo(model, placeText),
    );
  }
}

void settingsStore.load().then(start);
