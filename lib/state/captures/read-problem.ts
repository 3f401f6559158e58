import { toProblem } from '../../errors.ts';
import type { Problem } from '../../errors.ts';

/** The problem in a rejection: ours as it came over the port, anything else as `internal`. */
export function readProblem(error: unknown): Problem {
  return isProblem(error) ? error : toProblem(error);
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null || value instanceof Error) return false;
  return (
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
