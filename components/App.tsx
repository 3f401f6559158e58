import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AppModel } from '../lib/state/app-model.ts';
import { COVERS } from '../lib/state/covers.ts';
import { ConnectionBar } from './connection/ConnectionBar.tsx';
import { FeedEnded } from './FeedEnded.tsx';
import { dropHandlers } from './storage/drop-files.ts';
import { StatusBar } from './StatusBar.tsx';
import { TrafficScreen } from './traffic/TrafficScreen.tsx';
import { deferred } from './ui/Deferred.tsx';
import './App.css';
import './theme.css';

const CoverScreen = deferred(async () => (await import('./CoverScreen.tsx')).CoverScreen);

const SearchPane = deferred(async () => (await import('./search/SearchPane.tsx')).SearchPane);

const ComposerPane = deferred(
  async () => (await import('./composer/ComposerPane.tsx')).ComposerPane,
);

const ReplayDialog = deferred(async () => (await import('./replay/ReplayDialog.tsx')).ReplayDialog);

const UpdateNotice = deferred(async () => (await import('./UpdateNotice.tsx')).UpdateNotice);

const CaptureNotice = deferred(
  async () => (await import('./storage/CaptureNotice.tsx')).CaptureNotice,
);

const CommandLayer = deferred(
  async () => (await import('./commands/CommandLayer.tsx')).CommandLayer,
);

const FilterBar = deferred(async () => (await import('./filter/FilterBar.tsx')).FilterBar);

const ServerQuestions = deferred(
  async () => (await import('./questions/ServerQuestions.tsx')).ServerQuestions,
);

/** The panel. */
export function App({ model }: { model: AppModel }) {
  return (
    <main class="app" {...dropHandlers(model.storage)}>
      <h1 class="visually-hidden">Wirescope</h1>
      <FeedEnded feed={model.feed} />
      <UpdateNotice desk={model.update} />
      {model.storage.shownId !== undefined && <CaptureNotice model={model} />}
      <ConnectionBar model={model} />
      <ReplayNotice model={model} />
      <ServerQuestions model={model} />
      <Work model={model} />
      {model.composer.isOpen.value && <ComposerPane model={model} />}
      <StatusBar model={model} />
      {model.replay.question.value !== undefined && <ReplayDialog replay={model.replay} />}
      <CommandLayer model={model} />
    </main>
  );
}

/** The traffic, and what lies over it while it is open. */
function Work({ model }: { model: AppModel }) {
  const cover = COVERS.find((name) => model[name].isOpen.value);
  const isOpen = cover !== undefined;
  const last = useRef(cover);
  const before = last.current;
  last.current = cover;
  useLayoutEffect(() => {
    // With what lay over it gone, the focus would fall out of the panel.
    if (before === undefined || isOpen || document.activeElement !== document.body) return;
    const opener = document.getElementById(`${before}-button`);
    const traffic = document.getElementById('traffic');
    (model.selection.isOpen.peek() ? traffic : (opener ?? traffic))?.focus();
  }, [isOpen]);

  return (
    <div class="app-work">
      {model.search.isOpen.value && !isOpen && <SearchPane model={model} />}
      {/* What lies under something is not there for the keyboard either. */}
      <div class="app-traffic" inert={isOpen}>
        <div class="app-filter">
          <FilterBar model={model} />
        </div>
        <TrafficScreen model={model} />
      </div>
      {cover !== undefined && <CoverScreen cover={cover} model={model} />}
    </div>
  );
}

function ReplayNotice({ model }: { model: AppModel }) {
  const notice = model.replay.notice.value;
  return (
    <div role="alert" class="app-notice" hidden={notice === undefined}>
      {notice !== undefined && (
        <>
          <span>{notice}</span>
          <button type="button" class="link" onClick={() => model.replay.clearNotice()}>
            Dismiss
          </button>
        </>
      )}
    </div>
  );
}
