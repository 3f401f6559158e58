import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { WireEvent } from '../capture/wire-event.ts';
import type { ClockSource } from './time/clock.ts';

/** Below these, the load is nobody's business. */
const BUSY_EVENTS = 500;
const LONG_QUEUE_BYTES = 1024 * 1024;
/** The rate is counted in slices of a second. */
const SLICE_MS = 250;
const SLICES = 4;

/** How much the recording has to do, where that matters. */
export interface Load {
  /** Events in the last second; absent while they are few. */
  eventsPerSecond?: number;
  /** Bytes that wait to be stored; absent while they are few and nothing waits for them. */
  queuedBytes?: number;
  /** Nothing is read from a server before they are stored. */
  isPaused?: true;
}

export interface LoadMeter {
  load: ReadonlySignal<Load>;
  apply(events: readonly WireEvent[]): void;
  queued(connectionId: string, sizeBytes: number): void;
}

/** Measures the load. It costs no time while there is none. */
export function createLoadMeter(clock: ClockSource): LoadMeter {
  const load = signal<Load>({});
  const slices = new Map<number, number>();
  const queues = new Map<string, number>();
  const paused = new Set<string>();
  let stop: (() => void) | undefined;

  function apply(events: readonly WireEvent[]): void {
    const oldest = sliceOf(clock.now()) - SLICES;
    for (const event of events) {
      const slice = sliceOf(event.wallTime);
      // Most of a capture that is being read is long past.
      if (slice >= oldest) slices.set(slice, (slices.get(slice) ?? 0) + 1);
      if (event.kind === 'reading-paused') paused.add(event.carrierId);
      else if (paused.size > 0) resume(event);
    }
    update();
  }

  function resume(event: WireEvent): void {
    if (event.kind === 'reading-resumed') paused.delete(event.carrierId);
    else if (event.kind === 'http-end') paused.delete(event.httpId);
    else if (event.kind === 'socket-close') paused.delete(event.socketId);
    else if (event.kind === 'worker-started') paused.clear();
  }

  function update(): void {
    const oldest = sliceOf(clock.now()) - SLICES;
    let eventsPerSecond = 0;
    for (const [slice, count] of slices) {
      if (slice < oldest) slices.delete(slice);
      else eventsPerSecond += count;
    }
    const queuedBytes = [...queues.values()].reduce((sum, bytes) => sum + bytes, 0);
    const isPaused = paused.size > 0;
    const isBusy = eventsPerSecond > BUSY_EVENTS;
    show({
      ...(isBusy ? { eventsPerSecond } : {}),
      ...(isPaused || queuedBytes > LONG_QUEUE_BYTES ? { queuedBytes } : {}),
      ...(isPaused ? { isPaused } : {}),
    });
    // A rate falls by itself, and nothing else tells of it.
    if (isBusy) {
      stop ??= clock.every(update);
    } else {
      stop?.();
      stop = undefined;
    }
  }

  function show(next: Load): void {
    const { eventsPerSecond, queuedBytes, isPaused } = load.value;
    const isSame =
      eventsPerSecond === next.eventsPerSecond &&
      queuedBytes === next.queuedBytes &&
      isPaused === next.isPaused;
    if (!isSame) load.value = next;
  }

  return {
    load,
    apply,
    queued(connectionId, sizeBytes) {
      if (sizeBytes < LONG_QUEUE_BYTES) queues.delete(connectionId);
      else queues.set(connectionId, sizeBytes);
      update();
    },
  };
}

function sliceOf(time: number): number {
  return Math.floor(time / SLICE_MS);
}
