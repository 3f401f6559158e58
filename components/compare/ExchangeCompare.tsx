import type { CompareModel } from '../../lib/state/captures/compare-model.ts';
import { SplitPane } from '../ui/SplitPane.tsx';
import { useMedia } from '../ui/use-media.ts';
import { ExchangeList } from './ExchangeList.tsx';
import { PairDetail } from './PairDetail.tsx';

interface ExchangeCompareProps {
  model: CompareModel;
  onOpen: (captureId: string, row: string) => void;
}

/** The aligned exchanges, with what differs in the selected pair beside them, or below. */
export function ExchangeCompare({ model, onOpen }: ExchangeCompareProps) {
  const isWide = useMedia('(min-width: 901px)');
  const detail = model.detail.value;
  const isEmpty = model.shown.value.length === 0;
  if (isEmpty) {
    return (
      <p class="compare-empty dim">
        {model.pairs.value.length === 0
          ? 'Neither capture holds an exchange.'
          : 'No exchange differs. Switch “Only differences” off to see all of them.'}
      </p>
    );
  }
  return (
    <SplitPane
      direction={isWide ? 'row' : 'column'}
      label="Resize the comparison"
      first={<ExchangeList model={model} />}
      second={
        detail && (
          <PairDetail
            key={detail.pair.key}
            pair={detail.pair}
            diff={detail.diff}
            model={model}
            onOpen={onOpen}
          />
        )
      }
    />
  );
}
