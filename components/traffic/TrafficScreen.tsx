import type { AppModel } from '../../lib/state/app-model.ts';
import { deferred } from '../ui/Deferred.tsx';
import { SplitPane } from '../ui/SplitPane.tsx';
import { useMedia } from '../ui/use-media.ts';
import { TrafficTable } from './TrafficTable.tsx';
import './TrafficScreen.css';

const OverviewStrip = deferred(async () => (await import('./OverviewStrip.tsx')).OverviewStrip);

const EmptyState = deferred(async () => (await import('./EmptyState.tsx')).EmptyState);

const NoMatches = deferred(async () => (await import('../filter/NoMatches.tsx')).NoMatches);

const DetailPane = deferred(async () => (await import('../detail/DetailPane.tsx')).DetailPane);

/** The table, with the details of the selected row beside it, or below it where the panel is narrow. */
export function TrafficScreen({ model }: { model: AppModel }) {
  const isWide = useMedia('(min-width: 901px)');
  const { selection, traffic } = model;
  const item = selection.isOpen.value ? selection.item.value : undefined;
  const isEmpty = traffic.total.value === 0 && traffic.hidden.value === 0;
  // A capture begins with rows of its own.
  const isFresh = traffic.total.value >= 0 && model.recorded.connections.size === 0;
  const hasNoMatch = traffic.count.value === 0 && !isEmpty;
  return (
    <div class="traffic-screen">
      {model.setup.hasOverview.value && (
        <div class="overview-place">
          <OverviewStrip model={model} />
        </div>
      )}
      <SplitPane
        direction={isWide ? 'row' : 'column'}
        label="Resize details"
        first={
          <div class="traffic">
            <TrafficTable model={model} />
            {isFresh && !hasNoMatch && !model.isLoading.value && <EmptyState model={model} />}
            {hasNoMatch && <NoMatches traffic={traffic} />}
          </div>
        }
        second={item && <DetailPane key={item.key} item={item} model={model} />}
      />
    </div>
  );
}
