import { importWords, nameServer } from '../../lib/state/captures/capture-list.ts';
import type { CaptureRow } from '../../lib/state/captures/capture-list.ts';
import type { StorageModel } from '../../lib/state/captures/storage-model.ts';
import type { CaptureRecord } from '../../lib/capture/store/capture-record.ts';
import { formatBytes } from '../../lib/text.ts';
import type { MenuAnchor } from '../menu/MenuLayer.tsx';
import type { CaptureWays } from './capture-ways.ts';

interface LineProps {
  row: CaptureRow;
  desk: StorageModel;
  ways: CaptureWays;
  onMenu: (anchor: MenuAnchor) => void;
}

/** One capture in the list. */
export function CaptureLine({ row, desk, ways, onMenu }: LineProps) {
  const { capture, description, isCurrent } = row;
  const { captureId, name, isPinned = false } = capture;
  const { facts } = description;
  const isShown = isCurrent ? ways.shownId === undefined : ways.shownId === captureId;
  function searchFor(tag: string): void {
    const { query, run } = desk.search;
    query.value = { ...query.value, text: tag, isRegex: false };
    run(desk.rows.value);
    document.getElementById('capture-search')?.focus();
  }

  /** A third one takes the place of the first. */
  function choose(isChosen: boolean): void {
    const others = desk.chosen.value.filter((other) => other !== captureId);
    desk.chosen.value = isChosen ? [...others.slice(-1), captureId] : others;
  }

  return (
    <tr aria-current={isShown ? 'true' : undefined}>
      <td>
        <input
          type="checkbox"
          aria-label={`Compare ${name}`}
          title="Compare it with another one"
          checked={desk.chosen.value.includes(captureId)}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
      </td>
      <NameCell row={row} isShown={isShown} onTag={(tag) => searchFor(tag)} />
      <td class="capture-time">{timeSpan(capture)}</td>
      <td class="capture-exchanges number">{facts?.exchanges.toLocaleString('en') ?? '…'}</td>
      <td class={`capture-errors number ${(facts?.errors ?? 0) > 0 ? 'error' : ''}`}>
        {facts?.errors.toLocaleString('en') ?? '…'}
      </td>
      <td class="capture-events number">{capture.eventCount.toLocaleString('en')}</td>
      <td class="capture-size number">{formatBytes(capture.sizeBytes)}</td>
      <td>
        <input
          type="checkbox"
          aria-label={`Pin ${name}`}
          checked={isPinned}
          onChange={(event) => void desk.pin(captureId, event.currentTarget.checked)}
        />
      </td>
      <td class="storage-actions">
        {!isShown && (
          <button
            type="button"
            class="link"
            title={isCurrent ? 'Back to what is live' : 'Show it in this panel'}
            aria-label={`Open ${name}`}
            onClick={() => ways.showCapture(isCurrent ? undefined : captureId)}
          >
            Open
          </button>
        )}
        <button
          type="button"
          class="link"
          title="Save it as a file"
          aria-label={`Export ${name}`}
          disabled={desk.files.running.value !== undefined}
          onClick={() => void desk.files.askToExport(capture)}
        >
          Export
        </button>
        <button
          type="button"
          aria-label={`More for ${name}`}
          title="More"
          aria-haspopup="menu"
          onClick={(event) => {
            const { left, bottom, height } = event.currentTarget.getBoundingClientRect();
            onMenu({ left, top: bottom, anchorHeight: height, isByKey: event.detail === 0 });
          }}
        >
          <span aria-hidden="true">⋯</span>
        </button>
      </td>
    </tr>
  );
}

interface NameProps {
  row: CaptureRow;
  isShown: boolean;
  onTag: (tag: string) => void;
}

function NameCell({ row, isShown, onTag }: NameProps) {
  const { capture, description, isCurrent } = row;
  const { imported } = capture;
  const words = importWords(capture);
  const { tags = [], note, continues, facts } = description;
  // Several files of one tool have the same name.
  const file = imported === undefined ? [] : [imported.file];
  const about = new Set([...file, ...(facts?.servers.map(nameServer) ?? [])]);
  return (
    <th scope="row" class="capture-name">
      <span class="capture-title">{capture.name}</span>
      {isCurrent && (
        <span class="capture-mark is-recording" title="What connections do goes into this capture">
          <span aria-hidden="true">● </span>being recorded
        </span>
      )}
      {isShown && <span class="capture-mark">shown here</span>}
      {words !== undefined && (
        <span class="capture-mark is-imported" title={words.sentence}>
          {words.word}
        </span>
      )}
      {continues !== undefined && (
        <span class="capture-mark" title="It began when another capture was split">
          second half
        </span>
      )}
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          class="capture-tag"
          aria-label={`Search for the tag ${tag}`}
          title="Search for this tag"
          onClick={() => onTag(tag)}
        >
          {tag}
        </button>
      ))}
      {about.size > 0 && <div class="dim">{[...about].join(', ')}</div>}
      {note !== undefined && <div class="capture-note">{note}</div>}
    </th>
  );
}

/** What began so early has a file without times behind it. */
const DAY_MS = 86_400_000;

function timeSpan({ startedAt, endedAt }: CaptureRecord): string {
  if (startedAt < DAY_MS) return 'not known';
  const start = new Date(startedAt);
  const end = new Date(endedAt ?? startedAt);
  const isOneDay = start.toDateString() === end.toDateString();
  const until = isOneDay ? end.toLocaleTimeString() : end.toLocaleString();
  return endedAt === undefined ? start.toLocaleString() : `${start.toLocaleString()} to ${until}`;
}
