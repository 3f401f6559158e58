import { createCorrelation, type Correlation } from './correlate.ts';
import type { Item } from './items.ts';
import { readTail, type Tail } from '../store/read-tail.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

/** What is known of an exchange or socket from the tail alone. */
interface Carrier {
  /** All of it is here, or nothing in what has not been read changes what its end means. */
  isClear: boolean;
  /** Bytes of the body that are there: one stretch. */
  from: number | undefined;
  to: number;
}

/**
 * The end of a capture by itself; undefined where it is not long. Rejects where the database cannot be read. A
 * chunk of its own: most captures are read at once.
 */
export async function readEnd(
  ...capture: Parameters<typeof readTail>
): Promise<Correlation | undefined> {
  const tail = await readTail(...capture);
  return tail && correlateTail(tail);
}

/**
 * What the newest events of a capture mean by themselves: what all of them will mean, as far as that can be
 * said. Whatever could look different with what came before is left out, or still pending.
 */
export function correlateTail(tail: Tail): Correlation {
  const correlation = createCorrelation();
  correlation.apply(understood(tail));
  const items = correlation.items.filter(
    // Who asked for it is in the part that has not been read.
    (item) => item.kind !== 'stray' || item.what !== 'response',
  );
  for (const item of items) {
    if (item.sequence < tail.from) leaveOpen(item);
  }
  return { ...correlation, items };
}

/** The answer may be in the part that has not been read. */
function leaveOpen(item: Item): void {
  if (item.kind !== 'request' || item.response !== undefined) return;
  item.outcome = 'pending';
  delete item.ended;
  delete item.problem;
}

function understood({ events, from }: Tail): WireEvent[] {
  const carriers = new Map<string, Carrier>();
  return events.filter((event) => {
    if (event.kind === 'http-request' || event.kind === 'socket-opening') {
      const isHttp = event.kind === 'http-request';
      const isWhole = event.sequence >= from;
      carriers.set(isHttp ? event.httpId : event.socketId, {
        isClear: isWhole || !isHttp || event.purpose === 'stream',
        from: isWhole ? 0 : undefined,
        to: 0,
      });
      return true;
    }
    if ('socketId' in event) return carriers.has(event.socketId);
    if (!('httpId' in event)) return true;
    const carrier = carriers.get(event.httpId);
    return carrier !== undefined && isUnderstood(event, carrier);
  });
}

function isUnderstood(event: WireEvent, carrier: Carrier): boolean {
  switch (event.kind) {
    case 'http-chunk':
      if (carrier.from === undefined) carrier.from = event.offset;
      carrier.to = event.offset + event.data.bytes.length;
      return true;
    case 'http-end':
      return carrier.isClear;
    case 'sse-event':
    case 'sse-comment':
    case 'sse-retry':
    case 'sse-ignored':
    case 'sse-discarded': {
      const { offset, length } = spanOf(event);
      return carrier.from !== undefined && offset >= carrier.from && offset + length <= carrier.to;
    }
    default:
      return true;
  }
}

function spanOf(
  event: EventOf<'sse-event' | 'sse-comment' | 'sse-retry' | 'sse-ignored' | 'sse-discarded'>,
) {
  switch (event.kind) {
    case 'sse-event':
      return event.block;
    case 'sse-discarded':
      return event.tail;
    default:
      return event.line;
  }
}
