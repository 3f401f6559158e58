import { useEffect, useState } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { CompareModel } from '../../lib/state/captures/compare-model.ts';
import {
  comparableConnections,
  compareConnections,
} from '../../lib/state/replay/replay-connections.ts';
import { CompareSwitches } from '../compare/CompareSwitches.tsx';
import { ExchangeCompare } from '../compare/ExchangeCompare.tsx';
import { CodeText } from '../ui/CodeText.tsx';
import '../compare/CompareScreen.css';
import './RunTab.css';

/** Two connections side by side: what one client gets and another one does not. */
export function ConnectionsTab({ model }: { model: AppModel }) {
  const list = comparableConnections(model);
  const [wanted, want] = useState<{ before?: string; after?: string }>({});
  // There may be connections to choose from only later.
  const chosen = { before: list[1]?.connectionId, after: list[0]?.connectionId, ...wanted };
  const [compared, setCompared] = useState<CompareModel>();
  useEffect(() => () => compared?.close(), [compared]);
  const before = list.find(({ connectionId }) => connectionId === chosen.before);
  const after = list.find(({ connectionId }) => connectionId === chosen.after);
  if (list.length < 2) {
    return <p class="run-tab dim">Connect twice, for example as another client, to compare.</p>;
  }

  return (
    <div class="run-tab compare">
      <div class="run-bar">
        {(['before', 'after'] as const).map((side) => (
          <label key={side}>
            {side === 'before' ? 'First' : 'Second'}{' '}
            <select
              value={chosen[side] ?? ''}
              onChange={(event) => want({ ...wanted, [side]: event.currentTarget.value })}
            >
              {list.map(({ connectionId, title }) => (
                <option key={connectionId} value={connectionId}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button
          type="button"
          class="primary"
          disabled={before === undefined || after === undefined || before === after}
          onClick={() => {
            if (before && after) setCompared(compareConnections(model, before, after));
          }}
        >
          Compare
        </button>
        {compared !== undefined && (
          <CompareSwitches
            onlyDifferences={compared.onlyDifferences}
            isLenient={compared.isLenient}
          />
        )}
      </div>
      {compared !== undefined && <Outcome compared={compared} model={model} />}
    </div>
  );
}

function Outcome({ compared, model }: { compared: CompareModel; model: AppModel }) {
  const state = compared.state.value;
  if (state.kind === 'failed') {
    return (
      <p class="error">
        <CodeText text={state.problem.message} />
      </p>
    );
  }
  if (state.kind !== 'done') return <p class="dim">Comparing…</p>;
  return (
    <ExchangeCompare
      model={compared}
      onOpen={(_connection, key) => {
        const item = model.correlation.items.find((each) => each.key === key);
        if (item !== undefined) model.selection.open(item);
      }}
    />
  );
}
