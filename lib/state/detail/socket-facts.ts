import type { SocketRecord } from '../../capture/correlate/items.ts';
import { closeCodeWords, closedBy } from '../../protocol/diagnose-socket.ts';
import { formatCount } from '../../text.ts';

/** What there is to say about a socket as a whole, by name. */
export function toSocketFacts(record: SocketRecord): { name: string; value: string }[] {
  const { opening, open, close, frames } = record;
  const facts = [{ name: 'Subprotocols asked for', value: opening.subprotocols.join(', ') }];
  if (open !== undefined) {
    facts.push({ name: 'Subprotocol selected', value: open.subprotocol || 'none' });
  }
  facts.push({ name: 'Frames', value: formatCount(frames.length, 'frame') });
  if (close === undefined) return facts;
  const reason = close.reason === '' ? 'none given' : `“${close.reason}”`;
  return [
    ...facts,
    { name: 'Close code', value: closeCodeWords(close.code) },
    { name: 'Reason', value: reason },
    { name: 'Ended', value: `${closedBy(close.by)}, ${close.clean ? 'cleanly' : 'not cleanly'}` },
  ];
}
