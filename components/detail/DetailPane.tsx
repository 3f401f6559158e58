import type { HttpRecord, Item, SocketRecord } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { hasAuthTab } from '../../lib/state/auth/auth-facts.ts';
import { messageEraOf, toEraBadge } from '../../lib/state/connect/message-era.ts';
import { replayPairsOf } from '../../lib/state/replay/replay-pairs.ts';
import type { DetailTab } from '../../lib/state/view/selection.ts';
import { toSocketTiming } from '../../lib/state/time/socket-timing.ts';
import { askedDuring, toCallTiming } from '../../lib/state/time/timing-call.ts';
import { toTiming } from '../../lib/state/time/timing.ts';
import { AuthTab } from '../auth/AuthTab.tsx';
import { StuckHints } from '../hints/StuckHints.tsx';
import { MenuButton } from '../menu/MenuButton.tsx';
import { deferred } from '../ui/Deferred.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { FrameTab } from './FrameTab.tsx';
import { HeadersTab } from './HeadersTab.tsx';
import { IssuesTab } from './IssuesTab.tsx';
import { ItemActions } from '../traffic/ItemActions.tsx';
import { MessageTab } from './MessageTab.tsx';
import { StreamTab } from './StreamTab.tsx';
import { TimingTab } from './TimingTab.tsx';
import './DetailPane.css';

interface DetailPaneProps {
  item: Item;
  model: AppModel;
}

const ReplayTab = deferred(async () => (await import('../replay/ReplayTab.tsx')).ReplayTab);

const MESSAGE = { name: 'message', title: 'Message' } as const;
const HEADERS = { name: 'headers', title: 'Headers' } as const;
const STREAM = { name: 'stream', title: 'Stream' } as const;
const TIMING = { name: 'timing', title: 'Timing' } as const;
const AUTH = { name: 'auth', title: 'Auth' } as const;

function tabsOf(
  kind: Item['kind'],
  record: HttpRecord | undefined,
  socket: SocketRecord | undefined,
) {
  if (kind === 'auth') return [AUTH];
  if (record !== undefined) return [MESSAGE, HEADERS, STREAM, TIMING];
  return socket === undefined ? [MESSAGE] : [MESSAGE, STREAM, TIMING];
}

function replayTabs(item: Item, model: AppModel): { name: 'replay'; title: string }[] {
  const pairs = replayPairsOf(item, model);
  if (pairs.length === 0) return [];
  const isOrigin = pairs[0]?.origin === item;
  return [{ name: 'replay', title: isOrigin ? `Replays (${pairs.length})` : 'Compare' }];
}

/** Everything about one item. */
export function DetailPane({ item, model }: DetailPaneProps) {
  const { selection } = model;
  // Items change in place; for the tabs this is the sign to look again.
  const revision = selection.revision.value;
  const record = item.httpId === undefined ? undefined : model.correlation.https.get(item.httpId);
  const socket =
    item.socketId === undefined ? undefined : model.correlation.sockets.get(item.socketId);
  const era = messageEraOf(item, model.correlation);
  const issueCount = model.issues.of(item).length;
  const tabs = [
    ...tabsOf(item.kind, record, socket),
    ...(item.kind !== 'auth' && hasAuthTab(item, record) ? [AUTH] : []),
    ...replayTabs(item, model),
    ...(issueCount === 0 ? [] : [{ name: 'issues', title: `Issues (${issueCount})` } as const]),
  ];
  const wanted = selection.tab.value;
  const active = tabs.some(({ name }) => name === wanted) ? wanted : (tabs[0]?.name ?? 'message');

  function renderTab(tab: DetailTab) {
    if (tab === 'issues') return <IssuesTab item={item} revision={revision} model={model} />;
    if (tab === 'replay') return <ReplayTab item={item} revision={revision} model={model} />;
    if (tab === 'headers' && record !== undefined)
      return <HeadersTab record={record} revision={revision} model={model} />;
    if (tab === 'auth')
      return <AuthTab item={item} record={record} revision={revision} model={model} />;
    if (tab === 'stream' && record !== undefined)
      return (
        <StreamTab
          record={record}
          revision={revision}
          model={model}
          startAt={selection.event.value}
        />
      );
    if (tab === 'stream' && socket !== undefined)
      return (
        <FrameTab
          record={socket}
          revision={revision}
          model={model}
          startAt={selection.event.value}
        />
      );
    if (tab === 'timing' && (record !== undefined || socket !== undefined)) {
      const timing =
        record === undefined
          ? socket && toSocketTiming(socket, item)
          : toTiming(record, askedDuring(item, model.correlation));
      const startedAt = record?.request.wallTime ?? item.started.wallTime;
      const call = toCallTiming(item, model.correlation);
      if (timing)
        return <TimingTab timing={timing} call={call} startedAt={startedAt} model={model} />;
    }
    return <MessageTab item={item} revision={revision} model={model} />;
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
            {era && (
              <span class="detail-era dim" title={`Said in the ${era.era} era`}>
                {toEraBadge(era)}
              </span>
            )}
            <ItemActions item={item} revision={revision} model={model} />
            <MenuButton item={item} model={model} />
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
        {(active === 'message' || active === 'timing') && (
          <StuckHints item={item} revision={revision} model={model} />
        )}
        {renderTab(active)}
      </Tabs>
    </section>
  );
}
