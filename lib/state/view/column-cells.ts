import type { Correlation } from '../../capture/correlate/correlate.ts';
import { headerValue } from '../../capture/correlate/http-record.ts';
import type { Item, MessageRef } from '../../capture/correlate/items.ts';

type CellSource = Pick<Correlation, 'https' | 'connections'>;

/** Types that have a name shorter than their media type. */
const SHORT: Record<string, string> = {
  'application/json': 'JSON',
  'text/event-stream': 'SSE',
  'text/html': 'HTML',
  'text/plain': 'text',
};

/** What the response is, or what a message came in, in a word; empty where there is neither. */
export function typeOf(item: Item, { https }: CellSource): string {
  switch (item.kind) {
    case 'request':
    case 'notification':
      if (item.direction === 'incoming' || item.socketId !== undefined) {
        return carrierOf(item.message);
      }
      return mediaTypeOf(item.httpId, https);
    case 'stray':
      return carrierOf(item.message);
    case 'stream':
    case 'http':
      return mediaTypeOf(item.httpId, https);
    case 'socket':
      return 'WebSocket';
    case 'auth':
    case 'lifecycle':
      return '';
  }
}

function carrierOf(ref: MessageRef): string {
  switch (ref.in) {
    case 'event':
      return 'SSE';
    case 'frame':
      return 'frame';
    case 'request':
    case 'body':
      return 'JSON';
  }
}

function mediaTypeOf(httpId: string | undefined, https: CellSource['https']): string {
  const record = httpId === undefined ? undefined : https.get(httpId);
  const type = headerValue(record?.response?.headers, 'content-type');
  const essence = type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return SHORT[essence] ?? essence;
}

/** Time since the first row, to the millisecond: `0.041 s`, `2:03.041`, `1:02:03.041`. Takes milliseconds. */
export function formatElapsed(elapsedMs: number): string {
  const ms = Math.max(Math.round(elapsedMs), 0);
  const fraction = String(ms % 1000).padStart(3, '0');
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}.${fraction} s`;
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${pad(seconds % 60)}.${fraction}`;
  return hours > 0 ? `${hours}:${pad(minutes)}:${tail}` : `${minutes}:${tail}`;
}
