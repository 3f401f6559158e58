import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { diffExchange, type ExchangeDiff } from '../../lib/state/captures/compare-exchange.ts';
import { replayPairsOf, type ReplayPair } from '../../lib/state/replay/replay-pairs.ts';
import { toRow } from '../../lib/state/view/rows.ts';
import { formatClock } from '../../lib/text.ts';
import { CompareSwitches } from '../compare/CompareSwitches.tsx';
import { ExchangeTexts } from '../compare/ExchangeTexts.tsx';
import '../compare/CompareScreen.css';
import './ReplayTab.css';

const SIDES = ['Origin', 'Replay'] as const;

interface ReplayTabProps {
  item: Item;
  /** Grows with the item, which changes in place. */
  revision: number;
  model: AppModel;
}

/** A request beside its replays: what came back, and what was different about the asking. */
export function ReplayTab({ item, revision, model }: ReplayTabProps) {
  const pairs = replayPairsOf(item, model);
  const [wanted, setWanted] = useState<string>();
  const isLenient = useSignal(true);
  const onlyDifferences = useSignal(false);
  const pair = pairs.find((each) => keyOf(each) === wanted) ?? pairs[0];
  if (pair === undefined) return null;
  return (
    <div class="replay-tab">
      <div class="replay-bar">
        {pairs.length > 1 && (
          <label>
            Compared{' '}
            <select value={keyOf(pair)} onChange={(event) => setWanted(event.currentTarget.value)}>
              {pairs.map((each) => (
                <option key={keyOf(each)} value={keyOf(each)}>
                  {wordsFor(each, item)}
                </option>
              ))}
            </select>
          </label>
        )}
        <CompareSwitches onlyDifferences={onlyDifferences} isLenient={isLenient} />
      </div>
      <PairDiff
        key={keyOf(pair)}
        pair={pair}
        item={item}
        revision={revision}
        isLenient={isLenient.value}
        onlyDifferences={onlyDifferences.value}
        model={model}
      />
    </div>
  );
}

function keyOf({ origin, replay }: ReplayPair): string {
  return `${origin.key} ${replay.key}`;
}

function wordsFor({ origin, replay }: ReplayPair, item: Item): string {
  return item === replay
    ? `with its origin at ${formatClock(origin.started.wallTime)}`
    : `with the replay at ${formatClock(replay.started.wallTime)}`;
}

interface PairDiffProps extends ReplayTabProps {
  pair: ReplayPair;
  isLenient: boolean;
  onlyDifferences: boolean;
}

function PairDiff({ pair, item, revision, isLenient, onlyDifferences, model }: PairDiffProps) {
  const [diff, setDiff] = useState<ExchangeDiff>();
  const { origin, replay } = pair;
  // The other one of the pair may still be open; each change of it is one of its revision.
  const stamp = `${revision} ${origin.revision} ${replay.revision} ${model.desk.restored.value}`;
  useEffect(() => {
    const shown = { isCurrent: true };
    const log = {
      captureId: '',
      name: '',
      correlation: model.correlation,
      peek: model.search.peek,
    };
    const sides = { before: { log, item: origin }, after: { log, item: replay } };
    void (async () => {
      const next = await diffExchange(sides, isLenient);
      if (shown.isCurrent) setDiff(next);
    })();
    return () => {
      shown.isCurrent = false;
    };
  }, [origin, replay, stamp, isLenient, model]);
  const [first, second] = [toRow(origin, model.correlation), toRow(replay, model.correlation)];
  const facts = [
    ['Status', first.status, second.status],
    ['Duration', first.duration, second.duration],
    ['Size', first.size, second.size],
  ] as const;
  return (
    <>
      <h2 class="visually-hidden">Origin and replay</h2>
      <table class="compare-facts" aria-label="Origin and replay">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">What</span>
            </th>
            <SideHead title="Origin" side={origin} item={item} model={model} />
            <SideHead title="Replay" side={replay} item={item} model={model} />
          </tr>
        </thead>
        <tbody>
          {facts.map(([name, was, is]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{was === '' ? '–' : was}</td>
              <td class={name === 'Status' && was !== is ? 'compare-changed' : undefined}>
                {is === '' ? '–' : is}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {diff !== undefined && (
        <ExchangeTexts
          diff={diff}
          sides={SIDES}
          onlyDifferences={onlyDifferences}
          isLenient={isLenient}
        />
      )}
    </>
  );
}

interface SideHeadProps {
  title: string;
  side: Item;
  item: Item;
  model: AppModel;
}

function SideHead({ title, side, item, model }: SideHeadProps) {
  const time = formatClock(side.started.wallTime);
  return (
    <th scope="col">
      {title}{' '}
      {side === item ? (
        time
      ) : (
        <button type="button" class="link" onClick={() => model.selection.openAt(side, 'replay')}>
          {time}
        </button>
      )}
    </th>
  );
}
