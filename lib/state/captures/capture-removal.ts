import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';

/** Captures that are deleted on screen, and can still be had back. */
export interface CaptureRemoval {
  /** The last one last. */
  pending: ReadonlySignal<readonly CaptureRecord[]>;
  remove(captures: readonly CaptureRecord[]): void;
  /** Has all of them back. */
  undo(): void;
  /** Nobody can undo any more: deletes all of them at once. */
  leave(): void;
}

/** Long enough to see what was done, and to reach the button by any means. */
const UNDO_MS = 20_000;

/** `carryOut` deletes for good, and never rejects: it tells of what fails itself. */
export function createCaptureRemoval(
  carryOut: (captureIds: readonly string[]) => Promise<void>,
  undoMs = UNDO_MS,
): CaptureRemoval {
  const pending = signal<readonly CaptureRecord[]>([]);
  /** Ids that go together, by what they wait for. */
  const waiting = new Map<ReturnType<typeof setTimeout>, readonly string[]>();

  function forget(captureIds: readonly string[]): void {
    const gone = new Set(captureIds);
    pending.value = pending.value.filter(({ captureId }) => !gone.has(captureId));
  }

  /** What is being deleted waits for nothing any more. */
  function takeWaiting(): string[] {
    for (const timer of waiting.keys()) clearTimeout(timer);
    const captureIds = [...waiting.values()].flat();
    waiting.clear();
    return captureIds;
  }

  async function finish(captureIds: readonly string[]): Promise<void> {
    if (captureIds.length === 0) return;
    await carryOut(captureIds);
    // Where that failed, they are in the list again.
    forget(captureIds);
  }

  return {
    pending,
    remove(captures) {
      const known = new Set(pending.value.map(({ captureId }) => captureId));
      const added = captures.filter(({ captureId }) => !known.has(captureId));
      if (added.length === 0) return;
      const captureIds = added.map(({ captureId }) => captureId);
      const timer = setTimeout(() => {
        waiting.delete(timer);
        void finish(captureIds);
      }, undoMs);
      waiting.set(timer, captureIds);
      pending.value = [...pending.value, ...added];
    },
    undo: () => forget(takeWaiting()),
    leave: () => void finish(takeWaiting()),
  };
}
