import { momentOf } from './correlate-source.ts';
import type { RungRecord } from './items.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

/** A rung is judged, or passed over without having been tried. */
export function judgeRung(rungs: RungRecord[], event: EventOf<'rung-judged'>): void {
  const last = rungs.at(-1);
  const isPassedOver = event.verdict === 'skipped' && last?.rung !== event.rung;
  const isTried = last !== undefined && last.verdict === undefined && !isPassedOver;
  const rung = isTried ? last : startRung(rungs, event);
  // A WebSocket is tried for both eras, and judged by the one that answers.
  rung.rung = event.rung;
  rung.verdict = event.verdict;
  rung.reason = event.reason;
  rung.evidence = event.evidence;
  rung.ended = momentOf(event);
  rung.toSequence = event.sequence;
}

/** Connecting ends, whatever was being tried: that rung stays without a verdict. */
export function endRung(rungs: RungRecord[], event: WireEvent): void {
  const last = rungs.at(-1);
  if (last === undefined || last.ended !== undefined) return;
  last.ended = momentOf(event);
  last.toSequence = event.sequence;
}

/** A rung is taken up; after one that was chosen it is the first of connecting anew. */
export function startRung(
  rungs: RungRecord[],
  event: EventOf<'rung-started' | 'rung-judged'>,
): RungRecord {
  endRung(rungs, event);
  if (rungs.at(-1)?.verdict === 'chosen') rungs.length = 0;
  const rung: RungRecord = {
    rung: event.rung,
    started: momentOf(event),
    fromSequence: event.sequence,
    evidence: [],
  };
  rungs.push(rung);
  return rung;
}
