import type { Item } from '../../lib/capture/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { DetailTab } from '../../lib/state/selection.ts';
import { Icon } from '../ui/Icon.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { HeadersTab } from './HeadersTab.tsx';
import { ItemActions } from './ItemActions.tsx';
import { MessageTab } from './MessageTab.tsx';
import { StreamTab } from './StreamTab.tsx';
import { TimingTab } from './TimingTab.tsx';
import './DetailPane.css';

interface DetailPaneProps {
  item: Item;
  model: AppModel;
}

const MESSAGE = { name: 'message', title: 'Message' } as const;
const HTTP_TABS = [
  MESSAGE,
  { name: 'headers', title: 'Headers' },
  { name: 'stream', title: 'Stream' },
  { name: 'timing', title: 'Timing' },
] as const;

/** Everything about one item. */
export function DetailPane({ item, model }: DetailPaneProps) {
  const { selection } = model;
  // Items change in place; for the tabs this is the sign to look again.
  const revision = selection.revision.value;
  const record = item.httpId === undefined ? undefined : model.correlation.https.get(item.httpId);
  const tabs = record === undefined ? [MESSAGE] : HTTP_TABS;
  const active = record === undefined ? 'message' : selection.tab.value;

  function renderTab(tab: DetailTab) {
    if (record === undefined || tab === 'message') {
      return <MessageTab item={item} revision={revision} model={model} />;
    }
    if (tab === 'headers') return <HeadersTab record={record} revision={revision} model={model} />;
    if (tab === 'stream')
      return <StreamTab record={record} revision={revision} secrets={model.secrets} />;
    return <TimingTab record={record} revision={revision} />;
  }

  return (
    <section class="detail" aria-label="Details">
      <Tabs
        label="Details"
        tabs={tabs}
        active={active}
        onChange={(tab) => selection.showTab(tab)}
        aside={
          <>
            <ItemActions item={item} revision={revision} model={model} />
            <button
              type="button"
              aria-label="Close details"
              title="Close details (Escape)"
              onClick={() => {
                selection.close();
                document.getElementById('traffic')?.focus();
              }}
            >
              <Icon name="close" />
            </button>
          </>
        }
      >
        {renderTab(active)}
      </Tabs>
    </section>
  );
}
