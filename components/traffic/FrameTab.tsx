import type { SocketRecord } from '../../lib/capture/items.ts';
import { frameCuts } from '../../lib/state/body-cuts.ts';
import { toFrameRow } from '../../lib/state/frame-rows.ts';
import type { FrameRow } from '../../lib/state/frame-rows.ts';
import { indexOfSequence } from '../../lib/state/by-sequence.ts';
import type { Secrets } from '../../lib/state/secrets.ts';
import { RawBytes } from './RawBytes.tsx';
import { StreamTable } from './StreamTable.tsx';

const COLUMNS = ['Time', 'Gap', 'Direction', 'Opcode', 'Size', 'Data'] as const;

interface FrameTabProps {
  record: SocketRecord;
  /** Grows with the record, which changes in place. */
  revision: number;
  secrets: Secrets;
  /** `sequence` of the line that is selected at first. */
  startAt: number | undefined;
}

/** What went over a WebSocket in both directions, frame by frame, and the bytes of the selected one. */
export function FrameTab({ record, secrets, startAt }: FrameTabProps) {
  if (record.frames.length === 0) {
    return <p class="message-note dim">{emptyWords(record)}</p>;
  }

  function renderBytes(index: number) {
    const frame = record.frames[index];
    return (
      frame && (
        <RawBytes
          key={frame.sequence}
          title={`Bytes of ${index + 1}`}
          bytes={frame.data.bytes}
          offset={0}
          cuts={frameCuts(frame)}
          secrets={secrets}
        />
      )
    );
  }

  return (
    <StreamTable
      label="Frames"
      columns={COLUMNS}
      layout="stream-of-frames"
      count={record.frames.length}
      row={(index) => {
        const row = toFrameRow(record, index);
        return row && { ...row, isAside: false, cells: toCells(row) };
      }}
      detail={renderBytes}
      startAt={indexOfSequence(record.frames, startAt)}
    />
  );
}

function toCells(row: FrameRow) {
  return [
    { text: row.time, look: 'dim' },
    { text: row.gap, look: 'cell-number' },
    { text: row.direction },
    { text: row.opcode },
    { text: row.size, look: 'cell-number' },
    { text: row.data, look: 'wire-text', isLong: true },
  ];
}

function emptyWords(record: SocketRecord): string {
  if (record.open === undefined) return 'The WebSocket has not opened.';
  return record.close === undefined
    ? 'The WebSocket is open. Nothing has gone over it yet.'
    : 'Nothing went over the WebSocket.';
}
