import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { WireEvent } from '../capture/wire-event.ts';

export interface StorageState {
  state: 'stored' | 'memory';
  reason: string;
}

/** What the status bar says about the capture as a whole. */
export interface CaptureTotals {
  /** Bytes of bodies and frames, both directions. */
  sizeBytes: ReadonlySignal<number>;
  storage: ReadonlySignal<StorageState>;
  apply(events: readonly WireEvent[]): void;
}

function payloadBytes(event: WireEvent): number {
  switch (event.kind) {
    case 'http-request':
      return event.body?.bytes.length ?? 0;
    case 'http-chunk':
    case 'socket-frame':
      return event.data.bytes.length;
    default:
      return 0;
  }
}

/** Creates running totals over the log. */
export function createCaptureTotals(): CaptureTotals {
  const sizeBytes = signal(0);
  const storage = signal<StorageState>({ state: 'stored', reason: '' });
  return {
    sizeBytes,
    storage,
    apply(events) {
      let added = 0;
      for (const event of events) {
        added += payloadBytes(event);
        if (event.kind === 'storage-state') {
          storage.value = { state: event.state, reason: event.reason };
        }
      }
      sizeBytes.value += added;
    },
  };
}
