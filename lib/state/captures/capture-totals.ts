import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import { payloadBytes } from '../../capture/correlate/http-record.ts';
import type { WireEvent } from '../../capture/wire-event.ts';

export interface StorageState {
  state: 'stored' | 'memory';
  reason: string;
  /** What the user can do about it. */
  advice?: string;
  /** Wall time, ms; absent while nothing has changed. */
  since?: number;
}

/** What the status bar says about the capture as a whole. */
export interface CaptureTotals {
  /** Bytes of bodies and frames, both directions. */
  sizeBytes: ReadonlySignal<number>;
  storage: ReadonlySignal<StorageState>;
  /** How many other captures were deleted meanwhile. */
  removedCaptures: ReadonlySignal<number>;
  apply(events: readonly WireEvent[]): void;
}

/** Creates running totals over the log. */
export function createCaptureTotals(): CaptureTotals {
  const sizeBytes = signal(0);
  const storage = signal<StorageState>({ state: 'stored', reason: '' });
  const removedCaptures = signal(0);
  return {
    sizeBytes,
    storage,
    removedCaptures,
    apply(events) {
      let added = 0;
      for (const event of events) {
        added += payloadBytes(event);
        if (event.kind === 'storage-state') {
          const { state, reason, advice, wallTime: since } = event;
          storage.value = { state, reason, ...(advice === undefined ? {} : { advice }), since };
        } else if (event.kind === 'worker-started') {
          // What was broken for an earlier life need not be for this one, which says so if it is.
          storage.value = { state: 'stored', reason: '' };
        } else if (event.kind === 'capture-removed') {
          removedCaptures.value += 1;
        }
      }
      sizeBytes.value += added;
    },
  };
}
