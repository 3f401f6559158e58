import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';

/** Captures that are deleted on screen, and can still be had back. */
export interface CaptureRemoval {
  /** The last one last. */
  pending: ReadonlySignal<readonly CaptureRecord[]>;
  remove(capture: CaptureRecord): void;
  /** Has all of them back. */
  undo(): void;
  /** Nobody can undo any more: deletes all of them at once. */
  leave(): void;
}

/** Long enough to see what was done, and to reach the button by any means. */
const UNDO_MS = 20_000;

/** `carryOut` deletes for good, and never rejects: it tells of what fails itself. */
export function createCaptureRemoval(
  carryOut: (captureId: string) => Promise<void>,
  undoMs = UNDO_MS,
): CaptureRemoval {
  const pending = signal<readonly CaptureRecord[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function forget(captureId: string): void {
    clearTimeout(timers.get(captureId));
    timers.delete(captureId);
    pending.value = pending.value.filter((capture) => capture.captureId !== captureId);
  }

  async function finish(captureId: string): Promise<void> {
    clearTimeout(timers.get(captureId));
    if (!timers.delete(captureId)) return;
    await carryOut(captureId);
    // Where that failed, it is in the list again.
    forget(captureId);
  }

  return {
    pending,
    remove(capture) {
      const { captureId } = capture;
      if (timers.has(captureId)) return;
      timers.set(
        captureId,
        setTimeout(() => void finish(captureId), undoMs),
      );
      pending.value = [...pending.value, capture];
    },
    undo() {
      // What is being deleted by now has no timer any more.
      for (const captureId of timers.keys()) forget(captureId);
    },
    leave() {
      for (const captureId of timers.keys()) void finish(captureId);
    },
  };
}
