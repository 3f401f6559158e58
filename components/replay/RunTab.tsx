import { useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { composerDeskOf } from '../../lib/state/composer/composer-desk.ts';
import { replayRunOf } from '../../lib/state/replay/replay-run-desk.ts';
import { runItemsOf, type RunItem } from '../../lib/state/replay/replay-run.ts';
import { markedItems } from '../../lib/state/replay/replay-selection.ts';
import { formatCount } from '../../lib/text.ts';
import { RunTable } from './RunTable.tsx';
import './RunTab.css';

/** Sends many requests again, in order, and tells what came of each. */
export function RunTab({ model }: { model: AppModel }) {
  const run = replayRunOf(model);
  const { composer } = composerDeskOf(model);
  const connection = composer.connection.value;
  const isRunning = run.state.value === 'running';
  const scope = run.scope.value;
  const marks = model.selection.marks.value;
  // Counted now and then only: it takes a look at every row.
  const count = useMemo(() => itemsOf(model, scope).length, [model, scope, marks, isRunning]);
  const fault = connection === undefined ? 'Connect to a server first.' : NONE_TO_SEND[count];
  return (
    <div class="run-tab">
      <div class="run-bar">
        <label>
          Send again{' '}
          <select
            value={scope}
            disabled={isRunning}
            onChange={(event) => {
              const chosen = SCOPES[event.currentTarget.selectedIndex];
              if (chosen !== undefined) run.scope.value = chosen[0];
            }}
          >
            {SCOPES.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <span class="dim">{formatCount(count, 'request')}</span>
        <label title="Else each one follows the answer of the last">
          <input
            type="checkbox"
            checked={run.isPaced.value}
            onChange={(event) => (run.isPaced.value = event.currentTarget.checked)}
          />
          With the recorded pauses
        </label>
        <label>
          <input
            type="checkbox"
            checked={run.stopsAtDifference.value}
            onChange={(event) => (run.stopsAtDifference.value = event.currentTarget.checked)}
          />
          Stop at the first difference
        </label>
        {isRunning ? (
          <button type="button" class="bordered" onClick={() => run.stop()}>
            Stop
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            disabled={fault !== undefined}
            onClick={() => {
              if (connection !== undefined) {
                run.start(itemsOf(model, scope), connection.connectionId);
              }
            }}
          >
            Replay all
          </button>
        )}
        <span class="dim" role="status">
          {isRunning ? 'Sending…' : (fault ?? WORDS[run.state.value])}
        </span>
      </div>
      <RunTable run={run} model={model} />
    </div>
  );
}

const SCOPES = [
  ['selected', 'the rows selected'],
  ['shown', 'the rows shown'],
  ['all', 'everything recorded'],
] as const;

const NONE_TO_SEND: Partial<Record<number, string>> = {
  0: 'No request of ours is among them.',
};

const WORDS = { idle: '', running: '', done: 'All were sent.', stopped: 'Stopped.' } as const;

function itemsOf(model: AppModel, scope: (typeof SCOPES)[number][0]): RunItem[] {
  const { traffic, correlation } = model;
  if (scope === 'selected') return runItemsOf(markedItems(model));
  if (scope === 'all') return runItemsOf(correlation.items);
  const count = traffic.count.peek();
  return runItemsOf(
    Array.from({ length: count }, (_, index) => traffic.itemAt(index)).filter(
      (item) => item !== undefined,
    ),
  );
}
