import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { Row } from '../../lib/state/view/rows.ts';
import type { TimeModel } from '../../lib/state/time/time-model.ts';
import { toWaterfall } from '../../lib/state/time/waterfall.ts';
import type { Waterfall } from '../../lib/state/time/waterfall.ts';
import { drawWaterfall } from '../../lib/state/time/waterfall-draw.ts';
import { wordWaterfall } from '../../lib/state/time/waterfall-words.ts';
import { paintWaterfall } from './waterfall-paint.ts';
import './WaterfallCell.css';

/** Room on both sides of the drawing, in px. */
const INSET = 6;

interface WaterfallCellProps {
  time: TimeModel;
  item: Item;
  /** Another one whenever the item, which changes in place, has changed. */
  row: Row;
  /** It will be over some time, and grows until then. */
  isRunning: boolean;
  width: number;
  model: AppModel;
}

/** The life of a row over time. It draws itself again as its window changes, and as it grows. */
export function WaterfallCell({ time, item, isRunning, width, model }: WaterfallCellProps) {
  const { scale, relations } = time;
  const { clock } = model;
  const window = time.window.value;
  // A stream that stays open goes to the edge of the window, whatever time it is.
  const now = isRunning ? clock.now.value : (window?.to ?? 0);
  const drawn = window && drawWaterfall(lifeAt(now), scale, window, width - 2 * INSET);

  function lifeAt(moment: number): Waterfall {
    const asked = relations.askedWithin(item);
    return toWaterfall(item, model.correlation, scale, moment, asked);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- other columns and the Timing tab say it in figures
    <div
      role="gridcell"
      class="cell cell-waterfall"
      style={{ backgroundImage: drawn && paintWaterfall(drawn) }}
      onPointerEnter={({ currentTarget }) => {
        // The figures are worked out for who asks for them.
        currentTarget.title = wordWaterfall(lifeAt(clock.now.peek()), scale);
      }}
    />
  );
}
