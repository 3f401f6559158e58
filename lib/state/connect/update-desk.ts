import type { ReadonlySignal } from '@preact/signals-core';
import type { BackgroundFunctions, ConnectionSummary } from '../../port/contract.ts';

/** What a page says of an update that waits, and can do about it. */
export interface UpdateDesk {
  connections: ReadonlySignal<readonly ConnectionSummary[]>;
  /** Tells the version that waits, as soon as one does, until the result is called. */
  watchUpdate(listener: (version: string) => void): () => void;
  /** Puts it in place, which ends this page too. */
  update(): void;
}

/** Creates the desk of a page. */
export function createUpdateDesk(
  background: Pick<BackgroundFunctions, 'update'>,
  around: Pick<UpdateDesk, 'connections' | 'watchUpdate'>,
): UpdateDesk {
  // Its answer never comes: the worker goes first.
  return { ...around, update: () => void background.update().catch(() => undefined) };
}
