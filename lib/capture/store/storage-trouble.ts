import { AppError, type Problem } from '../../errors.ts';

const AGAIN = 'It is tried again by itself.';

/** Why the database took or gave nothing, and what can be done about it. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof AppError) return error.problem;
  const name = error instanceof Error ? error.name : '';
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: 'storage-failed', detail, ...wordingOf(name, detail) };
}

function wordingOf(name: string, detail: string): Pick<Problem, 'message' | 'advice'> {
  switch (name) {
    case 'QuotaExceededError':
      return {
        message: 'The disk or the quota of this browser profile is full.',
        advice: 'Free space on the disk, or delete old captures.',
      };
    case 'VersionError':
      return {
        message: 'The recordings on disk were made by a newer version of Wirescope.',
        advice: 'Update Wirescope. Nothing that is stored was changed.',
      };
    case 'AbortError':
      return { message: 'The browser gave up a write to the database.', advice: AGAIN };
    case 'InvalidStateError':
      return {
        message: 'The browser closed the database: its data was cleared, or is being cleared.',
        advice: AGAIN,
      };
    default:
      return {
        message: `The database cannot be used. ${detail}`,
        advice: `${AGAIN} Should it stay so, restart the browser.`,
      };
  }
}

/** The database is held by a page with an older version of Wirescope in it. */
export function blockedError(): AppError {
  return new AppError({
    code: 'storage-failed',
    message: 'Another page of an older version of Wirescope holds the database.',
    advice: 'Close all other pages and panels of Wirescope.',
  });
}

/** The database was asked and said nothing at all. */
export function silentError(waitedMs: number): AppError {
  return new AppError({
    code: 'storage-failed',
    message: `The database has not answered for ${Math.round(waitedMs / 1000)} s.`,
    advice: `${AGAIN} Should it stay so, restart the browser.`,
  });
}
