import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { CaptureRecord } from '../../lib/capture/store/capture-record.ts';
import { createCompareModel } from '../../lib/state/captures/compare-model.ts';
import type { CompareModel } from '../../lib/state/captures/compare-model.ts';
import type { StorageDesk } from '../../lib/state/captures/storage-model.ts';
import { formatCount } from '../../lib/text.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { CompareBar } from './CompareBar.tsx';
import { DefinitionList } from './DefinitionList.tsx';
import { ExchangeCompare } from './ExchangeCompare.tsx';
import './CompareScreen.css';

interface CompareProps {
  before: CaptureRecord;
  after: CaptureRecord;
  desk: Pick<StorageDesk, 'loadShelf' | 'showCapture'>;
  /** The capture that is being recorded is shown as what is live. */
  currentId: string;
  onSwap: () => void;
  onBack: () => void;
}

/** Two captures side by side: what was called, what came back, and what the servers offered. */
export function CompareScreen(props: CompareProps) {
  const { before, after, desk, currentId, onSwap, onBack } = props;
  const model = useMemo(
    () => createCompareModel(desk.loadShelf, before, after),
    [desk, before, after],
  );
  const tab = useSignal<'exchanges' | 'definitions'>('exchanges');
  const screen = useRef<HTMLElement>(null);
  useEffect(() => {
    screen.current?.focus();
    return () => model.close();
  }, [model]);
  const state = model.state.value;

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leads back
    <section
      class="compare"
      aria-label="Comparison"
      tabIndex={-1}
      ref={screen}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onBack();
      }}
    >
      <CompareBar model={model} onSwap={onSwap} onBack={onBack} />
      {state.kind === 'failed' && <ProblemNotice problem={state.problem} isAlert />}
      <p role="status" aria-label="Comparing" class="compare-state">
        <StateWords model={model} />
      </p>
      {state.kind === 'done' && (
        <Tabs
          label="Comparison of"
          tabs={[
            { name: 'exchanges', title: `Exchanges (${model.shown.value.length})` },
            { name: 'definitions', title: `Definitions (${model.shownDefinitions.value.length})` },
          ]}
          active={tab.value}
          onChange={(name) => (tab.value = name)}
        >
          {tab.value === 'exchanges' ? (
            <ExchangeCompare
              model={model}
              onOpen={(captureId, row) =>
                desk.showCapture(captureId === currentId ? undefined : captureId, {
                  row,
                  tab: 'message',
                })
              }
            />
          ) : (
            <DefinitionList model={model} />
          )}
        </Tabs>
      )}
    </section>
  );
}

function StateWords({ model }: { model: CompareModel }) {
  const state = model.state.value;
  switch (state.kind) {
    case 'reading':
      return (
        <>
          Reading “{state.name}”{' '}
          <progress aria-label={`Reading ${state.name}`} max={1} value={state.share} />
        </>
      );
    case 'comparing':
      return (
        <>
          Comparing <progress aria-label="Comparing" max={1} value={state.share} />
        </>
      );
    case 'failed':
      return null;
    case 'done':
      return <>{doneWords(model)}</>;
  }
}

function doneWords({ pairs, definitions, differsIn }: CompareModel): string {
  const all = pairs.value;
  const removed = all.filter(({ after }) => after === undefined).length;
  const added = all.filter(({ before }) => before === undefined).length;
  const changed = all.filter((pair) => differsIn(pair).length > 0).length;
  const offered = definitions.value.filter(({ kind }) => kind !== 'same').length;
  if (removed + added + changed + offered === 0) {
    return `No differences in ${formatCount(all.length, 'exchange')} and ${formatCount(definitions.value.length, 'definition')}.`;
  }
  return [
    `${formatCount(all.length - removed - added, 'exchange')} on both sides, ${changed} of them changed`,
    `${removed} only in the first`,
    `${added} only in the second`,
    `${formatCount(offered, 'definition')} changed`,
  ].join(' · ');
}
