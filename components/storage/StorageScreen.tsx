import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { createStorageModel } from '../../lib/state/storage-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { Icon } from '../ui/Icon.tsx';
import { CaptureTable } from './CaptureTable.tsx';
import { FileBar } from './FileBar.tsx';
import { StorageLimit } from './StorageLimit.tsx';
import { StorageQuestions } from './StorageQuestions.tsx';
import './StorageScreen.css';

/** What is stored, how much of it may be, and what can go; over the traffic. */
export function StorageScreen({ model }: { model: AppModel }) {
  const desk = useMemo(() => createStorageModel(model.storage), [model]);
  const screen = useRef<HTMLElement>(null);
  const removedCaptures = model.totals.removedCaptures.value;
  const { state, reason, advice } = model.totals.storage.value;
  useEffect(() => screen.current?.focus(), []);
  useEffect(() => void desk.refresh(), [desk, removedCaptures, state]);
  const dropped = model.storage.dropped.value;
  useEffect(() => {
    if (dropped.length === 0) return;
    model.storage.dropped.value = [];
    void desk.files.importFiles(dropped);
  }, [dropped]);
  const report = desk.report.value;
  const problem = desk.problem.value;

  return (
    <section class="storage" aria-label="Storage" tabIndex={-1} ref={screen}>
      <header class="storage-bar">
        <h2>Storage</h2>
        <button
          type="button"
          class="storage-close"
          title="Close the storage (Escape)"
          onClick={() => (model.storage.isOpen.value = false)}
        >
          <Icon name="close" />
          Close
        </button>
      </header>
      <div class="storage-body">
        {state === 'memory' && (
          <p class="error" role="alert">
            Recording goes on in memory only. {reason} {advice}
          </p>
        )}
        {problem !== undefined && <ProblemNotice problem={problem} isAlert />}
        <FileBar files={desk.files} open={(captureId) => desk.open(captureId)} />
        {report !== undefined && (
          <>
            <StorageLimit report={report} desk={desk} />
            <StorageQuestions desk={desk} />
            <CaptureTable report={report} desk={desk} />
          </>
        )}
      </div>
    </section>
  );
}
