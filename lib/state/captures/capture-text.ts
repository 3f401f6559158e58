import type { CaptureLog } from '../../capture/store/capture-log.ts';
import { findEvent } from '../../capture/correlate/http-record.ts';
import type { MessageRef } from '../../capture/correlate/items.ts';
import { findFrame } from '../../capture/correlate/socket-record.ts';
import { awayEvents, unitWindows, withBytes } from '../search/search-bytes.ts';
import type { UnitText } from '../search/search-units.ts';

type Readable = Pick<CaptureLog, 'correlation' | 'peek'>;

const WINDOW_BYTES = 1024 * 1024;

/** The text of a message of a stored capture, read from disk where it is not in memory; undefined where it is lost. */
export async function readMessage(
  { correlation, peek }: Readable,
  ref: MessageRef,
): Promise<string | undefined> {
  const unit = unitOf(correlation, ref);
  if (unit === undefined) return undefined;
  const away = awayEvents(unit);
  const text = away.length === 0 ? unit : withBytes(unit, await peek(away));
  if (text === undefined) return undefined;
  let read = '';
  for (const window of unitWindows(text, WINDOW_BYTES, 0)) {
    // The data lines of an event are joined by LF.
    if (window.offset > read.length) read += '\n';
    read += window.text;
  }
  return read;
}

function unitOf(
  { https, sockets }: Readable['correlation'],
  ref: MessageRef,
): UnitText | undefined {
  if (ref.in === 'frame') {
    const frame = findFrame(sockets, ref);
    return frame && { in: 'frame', frame };
  }
  const record = https.get(ref.httpId);
  if (record === undefined) return undefined;
  if (ref.in === 'request') {
    const { body } = record.request;
    return body && { in: 'request', data: body };
  }
  const spans =
    ref.in === 'body'
      ? [{ offset: 0, length: record.sizeBytes }]
      : findEvent(record, ref.sequence)?.data;
  return spans && { in: 'body', record, spans };
}
