import type { Recorder } from '../capture/recorder.ts';

/** Over this many uncommitted bytes a connection stops reading. */
export const UNCOMMITTED_BYTES = 32 * 1024 * 1024;

interface BrakeContext {
  recorder: Pick<Recorder, 'record' | 'uncommittedBytes' | 'flushed'>;
  connectionId: string;
}

/** Whether the connection has more waiting to be stored than it may. */
export function isBehind({ recorder, connectionId }: BrakeContext): boolean {
  return recorder.uncommittedBytes(connectionId) > UNCOMMITTED_BYTES;
}

/** How much more may wait to be stored, in bytes. */
export function roomFor({ recorder, connectionId }: BrakeContext): number {
  return Math.max(0, UNCOMMITTED_BYTES - recorder.uncommittedBytes(connectionId));
}

/** Waits until the connection's recording has caught up: a server that is not read from stops sending. */
export async function brake(context: BrakeContext, carrierId: string): Promise<void> {
  const { recorder, connectionId } = context;
  notePause(context, carrierId);
  await recorder.flushed();
  recorder.record({ kind: 'reading-resumed', carrierId, uncommittedBytes: 0 }, connectionId);
}

/** Records that a carrier is not read from until what waits is stored; `more` bytes wait besides. */
export function notePause(
  { recorder, connectionId }: BrakeContext,
  carrierId: string,
  more = 0,
): void {
  const uncommittedBytes = recorder.uncommittedBytes(connectionId) + more;
  recorder.record({ kind: 'reading-paused', carrierId, uncommittedBytes }, connectionId);
}
