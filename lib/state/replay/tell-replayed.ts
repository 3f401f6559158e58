import type { CommandDesk } from '../commands/commands-desk.ts';
import type { Drawing } from '../diagram/drawing.ts';
import type { PreviewedView } from '../view/previewed-view.ts';
import type { Selection } from '../view/selection.ts';
import type { Replayed } from './replay-fill.ts';
import { originOf } from './replay-links.ts';

interface ReplayedParts {
  view: Pick<PreviewedView, 'log'>;
  selection: Pick<Selection, 'openAt'>;
  drawing: Pick<Drawing, 'watch'>;
  desk: Pick<CommandDesk, 'said'>;
  /** Whether what is sent now goes into another capture than the one that is shown. */
  isElsewhere: boolean;
}

/** Says that something was sent again, and offers to compare it with its origin. */
export function tellReplayed(
  { carrierId, replayOf = 0 }: Replayed,
  { view, selection, drawing, desk, isElsewhere }: ReplayedParts,
): void {
  const open = () => {
    const item = view.log.value.items.findLast(
      (each) =>
        (each.httpId === carrierId || each.socketId === carrierId) &&
        originOf(each, view.log.value.https) === replayOf,
    );
    if (item !== undefined) selection.openAt(item, 'replay');
    return item !== undefined;
  };
  // It may be asked for before it is in the log.
  const run = () => {
    if (open()) return;
    const stop = drawing.watch(() => open() && stop());
  };
  desk.said.value = isElsewhere
    ? { words: 'Sent again, into the capture that is being recorded.' }
    : { words: 'Sent again.', action: { title: 'Compare with its origin', run } };
}
