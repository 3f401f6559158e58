import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { shownPart } from '../../lib/state/shown-part.ts';
import { createStorageModel } from '../../lib/state/storage-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { Icon } from '../ui/Icon.tsx';
import { CaptureTable } from './CaptureTable.tsx';
import { FileBar } from './FileBar.tsx';
import { RemovalLine } from './RemovalLine.tsx';
import { ShelfStatus } from './ShelfStatus.tsx';
import { StorageLimit } from './StorageLimit.tsx';
import { StorageQuestions } from './StorageQuestions.tsx';
import './StorageScreen.css';

/** The captures, what can be done with them, and how much of them may be stored; over the traffic. */
export function StorageScreen({ model }: { model: AppModel }) {
  const desk = useMemo(
    () => createStorageModel({ ...model.storage, shown: () => shownPart(model) }),
    [model],
  );
  const screen = useRef<HTMLElement>(null);
  const removedCaptures = model.totals.removedCaptures.value;
  const { state, reason, advice } = model.totals.storage.value;
  useEffect(() => {
    screen.current?.focus();
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
  const report = desk.report.value;
  const problem = desk.problem.value;

  return (
    <section class="storage" id="captures" aria-label="Captures" tabIndex={-1} ref={screen}>
      <header class="storage-bar">
        <h2>Captures</h2>
        <button
          type="button"
          class="storage-close"
          title="Close the captures (Escape)"
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
        <FileBar files={desk.files} open={(captureId) => model.storage.openCapture(captureId)}>
          <button
            type="button"
            class="bordered"
            title="Ends the one that is being recorded, here and now"
            onClick={() => void desk.split()}
          >
            Start a new capture
          </button>
        </FileBar>
        <ShelfStatus desk={desk} />
        {report !== undefined && (
          <>
            <StorageQuestions desk={desk} />
            <RemovalLine removal={desk.removal} />
            <CaptureTable desk={desk} ways={model.storage} />
            <StorageLimit report={report} desk={desk} />
            <p class="dim">
              As long as a connection lives, all that it does is recorded: there is no stop, so that
              no traffic is lost. A new capture ends the one before it, here and now; what is open
              then goes on in the new one.
            </p>
          </>
        )}
      </div>
    </section>
  );
}
