import type { WireEvent } from '../capture/wire-event.ts';
import { createTurns, type Turns } from '../turns.ts';

/** Delivered at once, before anybody looks at the time: some work for each event, and for each byte to be read. */
const WEIGHT = 100;
const BYTES_PER_WEIGHT = 1000;

/** Delivers events a few at a time, so that the page can answer its user between them. */
export async function deliverInTurns(
  events: WireEvent[],
  to: { deliver(events: WireEvent[]): void; isClosed(): boolean },
  turns: Turns = createTurns(),
): Promise<void> {
  let start = 0;
  while (start < events.length && !to.isClosed()) {
    const end = endOfFew(events, start);
    to.deliver(events.slice(start, end));
    start = end;
    if (turns.isOver) await turns.next();
  }
}

function endOfFew(events: readonly WireEvent[], start: number): number {
  let weight = 0;
  for (let index = start; index < events.length; index += 1) {
    const event = events[index];
    if (event !== undefined) weight += 1 + messageBytes(event) / BYTES_PER_WEIGHT;
    if (weight >= WEIGHT) return index + 1;
  }
  return events.length;
}

/** Bytes of what has to be parsed for an event. */
function messageBytes(event: WireEvent): number {
  switch (event.kind) {
    case 'sse-event':
      return event.block.length;
    case 'socket-frame':
      return event.data.bytes.length;
    case 'http-request':
      return event.body?.bytes.length ?? 0;
    case 'http-end':
      return 'sizeBytes' in event.end ? event.end.sizeBytes : 0;
    default:
      return 0;
  }
}
