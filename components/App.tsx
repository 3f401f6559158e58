import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AppModel } from '../lib/state/app-model.ts';
import { ConnectionBar } from './connection/ConnectionBar.tsx';
import { FeedEnded } from './FeedEnded.tsx';
import { dropHandlers } from './storage/drop-files.ts';
import { StatusBar } from './StatusBar.tsx';
import { TrafficScreen } from './traffic/TrafficScreen.tsx';
import { deferred } from './ui/Deferred.tsx';
import './App.css';
import './theme.css';

const ReportScreen = deferred(async () => (await import('./report/ReportScreen.tsx')).ReportScreen);

const DiagramScreen = deferred(
  async () => (await import('./diagram/DiagramScreen.tsx')).DiagramScreen,
);

const ServerScreen = deferred(async () => (await import('./server/ServerScreen.tsx')).ServerScreen);

const SearchPane = deferred(async () => (await import('./search/SearchPane.tsx')).SearchPane);

const SendBar = deferred(async () => (await import('./composer/SendBar.tsx')).SendBar);

const ReplayDialog = deferred(async () => (await import('./replay/ReplayDialog.tsx')).ReplayDialog);

const StorageScreen = deferred(
  async () => (await import('./storage/StorageScreen.tsx')).StorageScreen,
);

const CaptureNotice = deferred(
  async () => (await import('./storage/CaptureNotice.tsx')).CaptureNotice,
);

const CommandLayer = deferred(
  async () => (await import('./commands/CommandLayer.tsx')).CommandLayer,
);

const CredentialScreen = deferred(
  async () => (await import('./auth/CredentialScreen.tsx')).CredentialScreen,
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
      {model.storage.shownId !== undefined && <CaptureNotice model={model} />}
      <ConnectionBar model={model} />
      <ReplayNotice model={model} />
      <ServerQuestions questions={model.questions} />
      <Work model={model} />
      {model.composer.isOpen.value && <SendBar composer={model.composer} />}
      <StatusBar model={model} />
      {model.replay.question.value !== undefined && <ReplayDialog replay={model.replay} />}
      <CommandLayer model={model} />
    </main>
  );
}

/** The traffic, and over it the report, the storage or the diagram while it is open. */
function Work({ model }: { model: AppModel }) {
  const isStorageOpen = model.storage.isOpen.value;
  const isDiagramOpen = model.diagram.isOpen.value;
  const isReportOpen = model.report.isOpen.value;
  const areCredentialsOpen = model.credentials.isOpen.value;
  const isServerOpen = model.server.isOpen.value;
  const isOpen =
    isReportOpen || isStorageOpen || isDiagramOpen || areCredentialsOpen || isServerOpen;
  const opener = useRef('report-button');
  if (isReportOpen) opener.current = 'report-button';
  if (isStorageOpen) opener.current = 'storage-button';
  if (isDiagramOpen) opener.current = 'diagram-button';
  if (areCredentialsOpen) opener.current = 'traffic';
  if (isServerOpen) opener.current = 'server-button';
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // With the report gone, the focus would fall out of the panel.
    const isFocusLost = wasOpen.current && !isOpen && document.activeElement === document.body;
    wasOpen.current = isOpen;
    if (!isFocusLost) return;
    const next = model.selection.isOpen.peek() ? 'traffic' : opener.current;
    document.getElementById(next)?.focus();
  }, [isOpen]);

  return (
    <div class="app-work">
      {model.search.isOpen.value && !isOpen && <SearchPane model={model} />}
      {/* What lies under the report is not there for the keyboard either. */}
      <div class="app-traffic" inert={isOpen}>
        <div class="app-filter">
          <FilterBar model={model} />
        </div>
        <TrafficScreen model={model} />
      </div>
      {isStorageOpen && <StorageScreen model={model} />}
      {areCredentialsOpen && <CredentialScreen model={model} />}
      {isReportOpen && <ReportScreen model={model} />}
      {isDiagramOpen && <DiagramScreen model={model} />}
      {isServerOpen && <ServerScreen model={model} />}
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
