import { isRecord } from '../record.ts';

/**
 * What a modern result says it is, where that is not `complete`, which an absent `resultType` means too
 * (2026-07-28, basic/index, "ResultType").
 */
export function resultTypeOf(result: unknown): string | undefined {
  const type = isRecord(result) ? result['resultType'] : undefined;
  return typeof type === 'string' && type !== 'complete' ? type : undefined;
}

/** A task as a result describes it (tasks extension of 2026-07-28). */
export interface TaskFacts {
  taskId: string;
  status: string;
  statusMessage?: string;
  pollIntervalMs?: number;
}

const ENDED = new Set(['completed', 'failed', 'cancelled']);

/** Reads the task that a result stands for, or tells about; `undefined` for a result without one. */
export function taskOf(result: unknown): TaskFacts | undefined {
  if (!isRecord(result)) return undefined;
  const { taskId, status, statusMessage, pollIntervalMs } = result;
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined;
  return {
    taskId,
    status,
    ...(typeof statusMessage === 'string' ? { statusMessage } : {}),
    ...(typeof pollIntervalMs === 'number' ? { pollIntervalMs } : {}),
  };
}

/** Whether nothing more will become of a task. */
export function isTaskOver({ status }: TaskFacts): boolean {
  return ENDED.has(status);
}
