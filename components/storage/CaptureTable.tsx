import type { CaptureRecord } from '../../lib/capture/capture-record.ts';
import type { StorageReport } from '../../lib/capture/retention.ts';
import type { StorageModel } from '../../lib/state/storage-model.ts';
import { formatBytes } from '../../lib/text.ts';

interface TableProps {
  report: StorageReport;
  desk: StorageModel;
}

/** The stored captures, newest first. */
export function CaptureTable({ report, desk }: TableProps) {
  return (
    <div class="storage-table">
      <table aria-label="Captures">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Time</th>
            <th scope="col" class="number">
              Events
            </th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col">Pinned</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {report.captures.toReversed().map((capture) => (
            <CaptureRow
              key={capture.captureId}
              capture={capture}
              isCurrent={capture.captureId === report.currentId}
              desk={desk}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  capture: CaptureRecord;
  isCurrent: boolean;
  desk: StorageModel;
}

function CaptureRow({ capture, isCurrent, desk }: RowProps) {
  const { captureId, name, eventCount, sizeBytes, isPinned = false, imported } = capture;
  return (
    <tr>
      <th scope="row">
        {name}
        {imported !== undefined && (
          <span class="storage-imported" title={`Imported from ${imported.file}`}>
            imported
          </span>
        )}
      </th>
      <td>{timeSpan(capture)}</td>
      <td class="number">{eventCount.toLocaleString('en')}</td>
      <td class="number">{formatBytes(sizeBytes)}</td>
      <td>
        <input
          type="checkbox"
          aria-label={`Pin ${name}`}
          title="A pinned capture is kept whatever the limit says"
          checked={isPinned}
          onChange={(event) => void desk.pin(captureId, event.currentTarget.checked)}
        />
      </td>
      <td class="storage-actions">
        <button
          type="button"
          class="link"
          title="Save it as a HAR file"
          aria-label={`Export ${name}`}
          disabled={desk.files.running.value !== undefined}
          onClick={() => void desk.files.askToExport(capture)}
        >
          Export
        </button>
        {isCurrent ? (
          <span class="dim">being recorded</span>
        ) : (
          <>
            <button
              type="button"
              class="link"
              title="Show it in a tab"
              aria-label={`Open ${name}`}
              onClick={() => desk.open(captureId)}
            >
              Open
            </button>
            <button
              type="button"
              class="link"
              aria-label={`Delete ${name}`}
              onClick={() => desk.askToDelete(capture)}
            >
              Delete
            </button>
          </>
        )}
      </td>
    </tr>
  );
}

function timeSpan({ startedAt, endedAt }: CaptureRecord): string {
  const start = new Date(startedAt);
  const end = new Date(endedAt ?? startedAt);
  const isOneDay = start.toDateString() === end.toDateString();
  const until = isOneDay ? end.toLocaleTimeString() : end.toLocaleString();
  return endedAt === undefined ? start.toLocaleString() : `${start.toLocaleString()} to ${until}`;
}
