import { useMemo } from 'preact/hooks';
import type { SocketRecord } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { frameCuts } from '../../lib/state/detail/body-cuts.ts';
import { frameLineText, toFrameRow } from '../../lib/state/detail/frame-rows.ts';
import type { FrameRow } from '../../lib/state/detail/frame-rows.ts';
import { indexOfSequence } from '../../lib/state/view/by-sequence.ts';
import { MessageSection } from './MessageSection.tsx';
import { RawBytes } from './RawBytes.tsx';
import { StreamTable } from './StreamTable.tsx';

const COLUMNS = ['Time', 'Gap', 'Direction', 'Opcode', 'Size', 'Data'] as const;

interface FrameTabProps {
  record: SocketRecord;
  /** Grows with the record, which changes in place. */
  revision: number;
  model: Pick<AppModel, 'correlation' | 'secrets' | 'selection' | 'messageView'>;
  /** `sequence` of the line that is selected at first. */
  startAt: number | undefined;
}

/** What went over a WebSocket in both directions, frame by frame, and what is in the selected one. */
export function FrameTab({ record, model, startAt }: FrameTabProps) {
  const lines = useMemo(
    () => ({
      get count() {
        return record.frames.length;
      },
      textAt: (index: number) => frameLineText(record, index),
    }),
    [record],
  );
  if (record.frames.length === 0) {
    return <p class="message-note dim">{emptyWords(record)}</p>;
  }

  function renderDetail(index: number) {
    const frame = record.frames[index];
    if (frame === undefined) return undefined;
    const { socketId } = record;
    const { sequence, opcode, data } = frame;
    return (
      <div class="stream-detail" key={sequence}>
        {opcode === 'text' && (
          <MessageSection
            title="Message"
            message={{ in: 'frame', socketId, sequence }}
            model={model}
          />
        )}
        <RawBytes
          title={`Bytes of ${index + 1}`}
          bytes={data.bytes}
          offset={0}
          cuts={frameCuts(frame)}
          secrets={model.secrets}
        />
      </div>
    );
  }

  return (
    <StreamTable
      label="Frames"
      columns={COLUMNS}
      layout="stream-of-frames"
      lines={lines}
      isOpen={record.close === undefined}
      row={(index) => {
        const row = toFrameRow(record, index);
        return row && { ...row, isAside: false, startsChunk: false, cells: toCells(row) };
      }}
      detail={renderDetail}
      startAt={indexOfSequence(record.frames, startAt)}
    />
  );
}

function toCells(row: FrameRow) {
  return [
    { text: row.time, look: 'dim' },
    { text: row.gap, look: 'cell-number' },
    { text: row.direction === 'outgoing' ? '↑ outgoing' : '↓ incoming' },
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
