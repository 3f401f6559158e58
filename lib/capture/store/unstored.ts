import { eventBytes } from './blocks.ts';
import type { WireEvent, WireFact } from '../wire-event.ts';

/** How full it stays when events go: room for many more, since each loss is reported by an event of its own. */
const KEPT_SHARE = 0.75;

/** Events that are shown but not stored, while the database refuses. */
export interface Unstored {
  readonly events: readonly WireEvent[];
  /** Takes a batch; returns the fact that tells what was lost for it, where memory is full. */
  keep(batch: readonly WireEvent[]): WireFact | undefined;
  /** They are stored now. */
  clear(): void;
}

/** Keeps up to `limitBytes`; beyond, the oldest events go. */
export function createUnstored(limitBytes: number): Unstored {
  let events: WireEvent[] = [];
  let sizeBytes = 0;
  /** The first of the events that were lost since the database began to refuse. */
  let firstLost: number | undefined;

  function keep(batch: readonly WireEvent[]): WireFact | undefined {
    for (const event of batch) {
      events.push(event);
      sizeBytes += eventBytes(event);
    }
    if (sizeBytes <= limitBytes) return undefined;
    let dropped = 0;
    for (const event of events.slice(0, -1)) {
      if (sizeBytes <= limitBytes * KEPT_SHARE) break;
      sizeBytes -= eventBytes(event);
      dropped += 1;
    }
    const [first] = events;
    const last = events.splice(0, dropped).at(-1);
    if (first === undefined || last === undefined) return undefined;
    // An earlier report may be among what goes, so each one names all that is lost.
    firstLost ??= first.sequence;
    return {
      kind: 'gap',
      what: 'Events that were shown will not be stored.',
      why: 'Storage fails and the memory set aside for it is full.',
      fromSequence: firstLost,
      toSequence: last.sequence,
    };
  }

  return {
    get events() {
      return events;
    },
    keep,
    clear() {
      events = [];
      sizeBytes = 0;
      firstLost = undefined;
    },
  };
}
