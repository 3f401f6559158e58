import type { AppModel } from '../app-model.ts';
import { createReplayRun, type ReplayRun } from './replay-run.ts';

const runs = new WeakMap<AppModel, ReplayRun>();

/** The run of a panel: it goes on while its tab is closed. */
export function replayRunOf(model: AppModel): ReplayRun {
  const known = runs.get(model);
  if (known !== undefined) return known;
  const made = createReplayRun(model);
  runs.set(model, made);
  return made;
}
