import { spanBytes } from '../../lib/capture/http-record.ts';
import type { HttpRecord } from '../../lib/capture/items.ts';
import { spanTextCuts } from '../../lib/state/body-cuts.ts';
import { indexOfSequence } from '../../lib/state/by-sequence.ts';
import type { Secrets } from '../../lib/state/secrets.ts';
import { toStreamRow } from '../../lib/state/stream-rows.ts';
import type { StreamRow } from '../../lib/state/stream-rows.ts';
import { RawBytes } from './RawBytes.tsx';
import { StreamTable } from './StreamTable.tsx';

const COLUMNS = ['Time', 'Gap', 'Event', 'ID', 'Retry', 'Size', 'Data'] as const;

interface StreamTabProps {
  record: HttpRecord;
  /** Grows with the record, which changes in place. */
  revision: number;
  secrets: Secrets;
  /** `sequence` of the line that is selected at first. */
  startAt: number | undefined;
}

/** What came over an event stream, block by block, and the bytes of the selected one. */
export function StreamTab({ record, secrets, startAt }: StreamTabProps) {
  if (record.stream.length === 0) {
    return <p class="message-note dim">{emptyWords(record)}</p>;
  }

  function renderBytes(index: number) {
    const chosen = toStreamRow(record, index);
    return (
      chosen && (
        <RawBytes
          key={chosen.sequence}
          title={`Bytes of ${chosen.number}`}
          bytes={spanBytes(record, chosen.span)}
          offset={chosen.span.offset}
          cuts={spanTextCuts(record, chosen.span)}
          secrets={secrets}
        />
      )
    );
  }

  return (
    <StreamTable
      label="Stream events"
      columns={COLUMNS}
      layout="stream-of-events"
      count={record.stream.length}
      row={(index) => {
        const row = toStreamRow(record, index);
        return row && { ...row, cells: toCells(row) };
      }}
      detail={renderBytes}
      startAt={indexOfSequence(record.stream, startAt)}
    />
  );
}

function toCells(row: StreamRow) {
  return [
    { text: row.time, look: 'dim' },
    { text: row.gap, look: 'cell-number' },
    { text: row.event },
    { text: row.id, isLong: true },
    { text: row.retry },
    { text: row.size, look: 'cell-number' },
    { text: row.data, look: 'wire-text', isLong: true },
  ];
}

function emptyWords(record: HttpRecord): string {
  if (record.response === undefined) return 'No response has arrived.';
  const type = record.response.headers.find(({ name }) => name.toLowerCase() === 'content-type');
  if (type?.value.startsWith('text/event-stream')) {
    return record.end === undefined
      ? 'The stream is open. Nothing has arrived on it yet.'
      : 'The stream ended without a single line.';
  }
  return `The response is not an event stream. Its content type is ${type?.value ?? 'not given'}.`;
}
