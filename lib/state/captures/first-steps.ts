import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../errors.ts';
import { readProblem } from './read-problem.ts';
import type { StorageDesk } from './storage-model.ts';

/** Recorded traffic that comes with the extension. */
export const EXAMPLES = [
  { file: 'example-tools.mcp.har', title: 'Tools, progress, a question of the server' },
  { file: 'example-login.mcp.har', title: 'A login, from the 401 to the repeat' },
  { file: 'example-modern.mcp.har', title: 'Revision 2026-07-28: rounds and a subscription' },
] as const;

export interface FirstStepsDesk {
  storage: Pick<StorageDesk, 'background' | 'loadFiles' | 'showCapture'>;
  loadExample(file: string): Promise<File>;
}

/** What an empty panel offers to begin with. */
export interface FirstSteps {
  /** What is being opened. */
  opening: ReadonlySignal<string | undefined>;
  problem: ReadonlySignal<Problem | undefined>;
  /** Shows an example, which is a capture like any other from then on. */
  openExample(file: string): Promise<void>;
}

/** Creates what is offered. */
export function createFirstSteps(desk: FirstStepsDesk): FirstSteps {
  const opening = signal<string>();
  const problem = signal<Problem>();
  return {
    opening,
    problem,
    async openExample(file) {
      if (opening.value !== undefined) return;
      opening.value = file;
      problem.value = undefined;
      try {
        desk.storage.showCapture(await importOnce(desk, file));
      } catch (error) {
        problem.value = readProblem(error);
      } finally {
        opening.value = undefined;
      }
    },
  };
}

/** The capture of an example that was opened before, or a new one. */
async function importOnce({ storage, loadExample }: FirstStepsDesk, file: string): Promise<string> {
  const { captures } = await storage.background.storage();
  const known = captures.find(({ imported }) => imported?.file === file);
  if (known !== undefined) return known.captureId;
  const files = await storage.loadFiles();
  const { signal: never } = new AbortController();
  const capture = await files.importCaptureFile(await loadExample(file), {
    signal: never,
    progress: () => undefined,
  });
  return capture.captureId;
}
