import type { CaptureRecord } from './capture-record.ts';

/** What recordings may take unless the user says otherwise. */
export const DEFAULT_LIMIT_BYTES = 1_000_000_000;

/**
 * The captures that go so that the rest stays within the limit: the oldest first, never a pinned one and never
 * the current one, even where the limit is then not kept.
 */
export function planRemoval(
  captures: readonly CaptureRecord[],
  currentId: string,
  limitBytes: number,
): CaptureRecord[] {
  let left = totalBytes(captures);
  const removed: CaptureRecord[] = [];
  for (const capture of inOrderOfAge(captures)) {
    if (left <= limitBytes) break;
    if (capture.isPinned || capture.captureId === currentId) continue;
    left -= capture.sizeBytes;
    removed.push(capture);
  }
  return removed;
}

/**
 * The oldest first. What was recorded here stays in the order of its sequences, whatever the clock was set to; an
 * imported capture takes the place that its time gives it.
 */
export function inOrderOfAge(captures: readonly CaptureRecord[]): CaptureRecord[] {
  let age = 0;
  const ages = new Map(
    captures
      .toSorted((a, b) => a.lastSequence - b.lastSequence)
      .map((capture) => {
        const { imported, startedAt } = capture;
        return [capture, imported ? startedAt : (age = Math.max(age, startedAt))];
      }),
  );
  return [...ages.keys()].toSorted((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0));
}

/** What captures take together on the disk, in bytes. */
export function totalBytes(captures: readonly CaptureRecord[]): number {
  return captures.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
