import { expect, test, vi } from 'vitest';
import { markRows, type MarkMove } from '../../../../lib/state/view/row-marks.ts';
import { markedItems, replaySelection } from '../../../../lib/state/replay/replay-selection.ts';
import { replayRunOf } from '../../../../lib/state/replay/replay-run-desk.ts';
import { summary } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';
import { startAppModel } from '../start-app-model.ts';

/** A table of requests of ours, which are named by their number from 0. */
function table(count: number) {
  const log = new LogBuilder();
  log.opened();
  for (let id = 0; id < count; id += 1) {
    const httpId = log.request(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    log.answer(httpId, `{"jsonrpc":"2.0","id":${id},"result":{}}`);
  }
  const started = startAppModel();
  started.feed.events(log.take());
  started.draw();
  const { model } = started;
  const rows = Array.from({ length: model.traffic.count.value }, (_, at) => at).filter(
    (at) => model.traffic.itemAt(at)?.kind === 'request',
  );
  const first = rows[0] ?? 0;
  const numbers = () => markedItems(model).map((item) => model.traffic.indexOf(item) - first);
  return {
    ...started,
    numbers,
    /** Counted from the first request. */
    mark(move: MarkMove) {
      const moved =
        move === 'all' || 'by' in move
          ? move
          : 'to' in move
            ? { to: move.to + first }
            : { toggle: move.toggle + first };
      markRows(model, moved);
      return numbers();
    },
    select: (number: number) => model.selection.moveTo(number + first),
  };
}

test('rows are selected from the first one to the last, in both directions', () => {
  const { mark, select, model } = table(6);
  select(2);
  expect(model.selection.marks.value.size).toBe(0);
  expect(mark({ to: 4 })).toEqual([2, 3, 4]);
  expect(mark({ to: 1 })).toEqual([1, 2]);
  expect(mark({ by: -1 })).toEqual([0, 1, 2]);
  expect(mark({ by: 4 })).toEqual([2, 3, 4]);
  expect(mark({ by: 100 })).toEqual([2, 3, 4, 5]);
  expect(model.desk.said.value?.words).toBe('4 rows selected.');
  // A step without Shift is about one row again.
  model.selection.move(-1);
  expect(mark({ by: 0 })).toEqual([4]);
});

test('one more and one less, and a range from there', () => {
  const { mark, select } = table(6);
  select(0);
  expect(mark({ toggle: 3 })).toEqual([0, 3]);
  expect(mark({ toggle: 5 })).toEqual([0, 3, 5]);
  expect(mark({ toggle: 3 })).toEqual([0, 5]);
  expect(mark({ to: 2 })).toEqual([2, 3]);
});

test('all rows are selected at once, also where there are very many', () => {
  const { mark, model } = table(5);
  markRows(model, 'all');
  expect(model.selection.marks.value.size).toBe(model.traffic.count.value);
  expect(mark({ toggle: 2 })).not.toContain(2);
});

test('what is hidden by a filter, or was cleared, is not selected any more', () => {
  const { mark, select, model, numbers } = table(3);
  select(0);
  expect(mark({ to: 2 })).toHaveLength(3);
  model.traffic.clear();
  expect(numbers()).toEqual([]);
  model.traffic.showAll();
  expect(numbers()).toHaveLength(3);
  markRows(table(0).model, { by: 1 });
});

test('rows are sent again in the order in which they came, on their own connection', async () => {
  const { mark, select, model, feed } = table(3);
  feed.connections([summary({ connectionId: 'c1' }), summary({ connectionId: 'other' })]);
  select(2);
  mark({ to: 0 });
  replaySelection(model);
  const run = replayRunOf(model);
  expect(model.composer.isOpen.value).toBe(true);
  expect(run.scope.value).toBe('selected');
  // What asks the user is a chunk of its own.
  await vi.waitUntil(() => run.rows.value.length > 0);
  expect(run.rows.value.map(({ origin }) => origin.sequence)).toEqual(
    markedItems(model).map(({ sequence }) => sequence),
  );
  run.stop();
  // Nothing that could be sent is no reason to send something else.
  model.selection.select(undefined);
  replaySelection(model);
  expect(run.state.value).toBe('stopped');
});
