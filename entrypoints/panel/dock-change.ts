import { leaveOnHide, takeLeft } from '../../lib/browser/page/left-panel.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { describePanel, resumePanel, type LeftPanel } from '../../lib/state/left-panel.ts';

/** Goes on where the panel was left, and leaves what it is like when it goes away in its turn. */
export async function surviveDockChange(model: AppModel): Promise<void> {
  let left = takeLeft() as LeftPanel | undefined;
  // What is still being made up is not what it is like.
  leaveOnHide(() => left ?? describePanel(model));
  if (left !== undefined) await resumePanel(model, left);
  left = undefined;
}
