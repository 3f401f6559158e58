import { useMemo, useState } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { composerDeskOf } from '../../lib/state/composer-desk.ts';
import { replayRunOf } from '../../lib/state/replay-run-desk.ts';
import { runItemsOf, type RunItem } from '../../lib/state/replay-run.ts';
import { formatCount } from '../../lib/text.ts';
import { RunTable } from './RunTable.tsx';
import './RunTab.css';

/** Sends many requests again, in order, and tells what came of each. */
export function RunTab({ model }: { model: AppModel }) {
  const run = replayRunOf(model);
  const { composer } = composerDeskOf(model);
  const [takesAll, setTakesAll] = useState(false);
  const connection = composer.connection.value;
  const isRunning = run.state.value === 'running';
  // Counted now and then only: it takes a look at every row.
  const count = useMemo(() => itemsOf(model, takesAll).length, [model, takesAll, isRunning]);
  const fault = connection === undefined ? 'Connect to a server first.' : undefined;
  return (
    <div class="run-tab">
      <div class="run-bar">
        <label>
          Send again{' '}
          <select
            value={takesAll ? 'all' : 'shown'}
            disabled={isRunning}
            onChange={(event) => setTakesAll(event.currentTarget.value === 'all')}
          >
            <option value="shown">the rows shown</option>
            <option value="all">everything recorded</option>
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
                run.start(itemsOf(model, takesAll), connection.connectionId);
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

const WORDS = { idle: '', running: '', done: 'All were sent.', stopped: 'Stopped.' } as const;

function itemsOf(model: AppModel, takesAll: boolean): RunItem[] {
  const { traffic, correlation } = model;
  if (takesAll) return runItemsOf(correlation.items);
  const count = traffic.count.peek();
  return runItemsOf(
    Array.from({ length: count }, (_, index) => traffic.itemAt(index)).filter(
      (item) => item !== undefined,
    ),
  );
}
