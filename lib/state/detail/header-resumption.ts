import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { HttpRecord } from '../../capture/correlate/items.ts';

/** Says from which event on a stream is asked for again, as far as the log holds that event. */
export function resumedFrom(
  record: HttpRecord,
  eventId: string,
  { https }: Pick<Correlation, 'https'>,
): string {
  for (const other of [...https.values()].toReversed()) {
    if (other === record || other.connectionId !== record.connectionId) continue;
    if (other.request.sequence > record.request.sequence) continue;
    const index = other.stream.findLastIndex(
      (event) => event.kind === 'sse-event' && event.id === eventId,
    );
    if (index < 0) continue;
    const what = other.request.purpose === 'stream' ? 'the GET stream' : 'an answer';
    const isLast = !other.stream
      .slice(index + 1)
      .some((event) => event.kind === 'sse-event' && event.id);
    return `event ${(index + 1).toLocaleString('en')} of ${what} before${isLast ? ', the last one with an id' : ', not the last one with an id'}`;
  }
  return 'no event with this id is in the log';
}
