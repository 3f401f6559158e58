import { useMemo } from 'preact/hooks';
import { spanBytes } from '../../lib/capture/correlate/http-record.ts';
import type { HttpRecord } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { spanTextCuts } from '../../lib/state/detail/body-cuts.ts';
import { indexOfSequence } from '../../lib/state/view/by-sequence.ts';
import { isMessageEvent, streamLineText, toStreamRow } from '../../lib/state/detail/stream-rows.ts';
import type { StreamRow } from '../../lib/state/detail/stream-rows.ts';
import { MessageSection } from './MessageSection.tsx';
import { RawBytes } from './RawBytes.tsx';
import { StreamTable } from './StreamTable.tsx';

const COLUMNS = ['Time', 'Gap', 'Event', 'ID', 'Retry', 'Chunk', 'Size', 'Data'] as const;

interface StreamTabProps {
  record: HttpRecord;
  /** Grows with the record, which changes in place. */
  revision: number;
  model: Pick<AppModel, 'correlation' | 'secrets' | 'selection' | 'messageView'>;
  /** `sequence` of the line that is selected at first. */
  startAt: number | undefined;
}

/** What came over an event stream, block by block, and the message and the bytes of the selected one. */
export function StreamTab({ record, model, startAt }: StreamTabProps) {
  const lines = useMemo(
    () => ({
      get count() {
        return record.stream.length;
      },
      textAt: (index: number) => streamLineText(record, index),
    }),
    [record],
  );
  if (record.stream.length === 0) {
    return <p class="message-note dim">{emptyWords(record)}</p>;
  }

  function renderDetail(index: number) {
    const chosen = toStreamRow(record, index);
    if (chosen === undefined) return undefined;
    const { sequence, number, span } = chosen;
    return (
      <div class="stream-detail" key={sequence}>
        {isMessageEvent(record.stream[index]) && (
          <MessageSection
            title="Message"
            message={{ in: 'event', httpId: record.httpId, sequence }}
            model={model}
          />
        )}
        <RawBytes
          title={`Bytes of ${number}`}
          bytes={spanBytes(record, span)}
          offset={span.offset}
          cuts={spanTextCuts(record, span)}
          secrets={model.secrets}
        />
      </div>
    );
  }

  return (
    <StreamTable
      label="Stream events"
      columns={COLUMNS}
      layout="stream-of-events"
      lines={lines}
      isOpen={record.end === undefined}
      row={(index) => {
        const row = toStreamRow(record, index);
        return row && { ...row, cells: toCells(row) };
      }}
      detail={renderDetail}
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
    {
      text: row.chunk,
      look: row.startsChunk ? 'cell-number' : 'cell-number dim',
      title: `Network chunk ${row.chunk}${row.startsChunk ? ', which begins here' : ''}`,
    },
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
