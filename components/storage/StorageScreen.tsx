import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { CaptureRecord } from '../../lib/capture/store/capture-record.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { shownPart } from '../../lib/state/view/shown-part.ts';
import { createStorageModel } from '../../lib/state/captures/storage-model.ts';
import { deferred } from '../ui/Deferred.tsx';
import { Screen } from '../ui/Screen.tsx';
import { CaptureList } from './CaptureList.tsx';
import './StorageScreen.css';

const CompareScreen = deferred(
  async () => (await import('../compare/CompareScreen.tsx')).CompareScreen,
);

/** The captures, what can be done with them, and how much of them may be stored; over the traffic. */
export function StorageScreen({ model }: { model: AppModel }) {
  const compared = useSignal<{ before: CaptureRecord; after: CaptureRecord } | undefined>(
    undefined,
  );
  const desk = useMemo(
    () =>
      createStorageModel({
        ...model.storage,
        openSearchWorker: model.search.openWorker,
        logOf: (captureId) => readLog(model, captureId),
        shown: () => shownPart(model),
      }),
    [model],
  );
  const removedCaptures = model.totals.removedCaptures.value;
  const { state } = model.totals.storage.value;
  useEffect(() => {
    const leave = () => desk.leave();
    // A panel may be closed without anybody closing this screen first.
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [desk]);
  useEffect(() => void desk.refresh(), [desk, removedCaptures, state]);
  const dropped = model.storage.dropped.value;
  useEffect(() => {
    if (dropped.length === 0) return;
    model.storage.dropped.value = [];
    void desk.files.importFiles(dropped);
  }, [dropped]);

  return (
    <Screen id="captures" title="Captures" isOpen={model.storage.isOpen}>
      {compared.value === undefined ? (
        <CaptureList
          model={model}
          desk={desk}
          onCompare={(before, after) => (compared.value = { before, after })}
        />
      ) : (
        <CompareScreen
          {...compared.value}
          desk={model.storage}
          currentId={desk.report.value?.currentId ?? ''}
          onSwap={() => {
            const { before, after } = compared.value ?? {};
            if (before && after) compared.value = { before: after, after: before };
          }}
          onBack={() => {
            compared.value = undefined;
            document.getElementById('captures')?.focus();
          }}
        />
      )}
    </Screen>
  );
}

/** What this page shows, where that is all of the one capture. */
function readLog({ feed, report, recorded }: AppModel, captureId: string) {
  const isRead = feed.value.kind === 'live' || feed.value.kind === 'stored';
  const { captures } = report.log;
  return isRead && captures.size === 1 && captures.has(captureId) ? recorded : undefined;
}
