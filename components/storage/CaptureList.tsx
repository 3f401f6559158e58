import type { CaptureRecord } from '../../lib/capture/store/capture-record.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { goToPlace, type CapturePlace } from '../../lib/state/captures/capture-place.ts';
import type { CaptureHit } from '../../lib/state/captures/capture-search.ts';
import type { StorageModel } from '../../lib/state/captures/storage-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { CaptureHits } from './CaptureHits.tsx';
import { CaptureSearchBar } from './CaptureSearchBar.tsx';
import { CaptureTable } from './CaptureTable.tsx';
import { CompareLine } from './CompareLine.tsx';
import { EmptyLine } from './EmptyLine.tsx';
import { FileBar } from './FileBar.tsx';
import { RemovalLine } from './RemovalLine.tsx';
import { ShelfStatus } from './ShelfStatus.tsx';
import { StorageLimit } from './StorageLimit.tsx';
import { StorageQuestions } from './StorageQuestions.tsx';

interface ListProps {
  model: AppModel;
  desk: StorageModel;
  onCompare: (before: CaptureRecord, after: CaptureRecord) => void;
}

/** All captures, the ways in for files, and what is said about storage. */
export function CaptureList({ model, desk, onCompare }: ListProps) {
  const { state, reason, advice } = model.totals.storage.value;
  const report = desk.report.value;
  const problem = desk.problem.value;
  const { search } = desk;

  async function open({ captureId, isCurrent }: CaptureHit, place?: CapturePlace): Promise<void> {
    const { shownId, isOpen, showCapture } = model.storage;
    const isHere = isCurrent ? shownId === undefined : shownId === captureId;
    // What is here needs no other page, unless it came before what this page shows.
    const isThere = isHere && (place === undefined || (await goToPlace(model, place)));
    if (isThere) isOpen.value = false;
    else showCapture(isCurrent ? undefined : captureId, place);
  }

  return (
    <div class="screen-body storage-body">
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
          <CaptureSearchBar search={search} rows={desk.rows.value} />
          {search.state.value.kind === 'idle' ? (
            <>
              <CompareLine desk={desk} onCompare={onCompare} />
              <CaptureTable desk={desk} ways={model.storage} />
              <EmptyLine desk={desk} />
            </>
          ) : (
            <CaptureHits search={search} onOpen={(hit, place) => void open(hit, place)} />
          )}
          <StorageLimit report={report} desk={desk} />
          <p class="dim">
            As long as a connection lives, all that it does is recorded: there is no stop, so that
            no traffic is lost. A new capture ends the one before it, here and now; what is open
            then goes on in the new one.
          </p>
        </>
      )}
    </div>
  );
}
