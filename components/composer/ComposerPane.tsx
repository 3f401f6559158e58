import type { AppModel } from '../../lib/state/app-model.ts';
import { composerDeskOf } from '../../lib/state/composer/composer-desk.ts';
import { deferred } from '../ui/Deferred.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { ComposeForm } from './ComposeForm.tsx';
import { SendTarget } from './SendTarget.tsx';
import './ComposerPane.css';

const TasksTab = deferred(async () => (await import('../tasks/TasksTab.tsx')).TasksTab);

const SubscriptionsTab = deferred(
  async () => (await import('../tasks/SubscriptionsTab.tsx')).SubscriptionsTab,
);

const RunTab = deferred(async () => (await import('../replay/RunTab.tsx')).RunTab);

const ConnectionsTab = deferred(
  async () => (await import('../replay/ConnectionsTab.tsx')).ConnectionsTab,
);

/** Work with the servers that are connected: requests of one's own, tasks and subscriptions. */
export function ComposerPane({ model }: { model: AppModel }) {
  const desk = composerDeskOf(model);
  const { composer, besides } = desk;
  const { mode } = composer;
  const isSocket = composer.connection.value?.transport === 'websocket';
  const tabs = [
    { name: 'request', title: 'Request' },
    { name: 'text', title: isSocket ? 'Raw frame' : 'Raw text' },
    { name: 'http', title: 'Raw HTTP' },
    { name: 'tasks', title: 'Tasks' },
    { name: 'subscriptions', title: 'Subscriptions' },
    { name: 'run', title: 'Replay many' },
    { name: 'compare', title: 'Compare connections' },
  ] as const;
  return (
    <section class="send-bar" aria-label="Work with the server">
      <Tabs
        label="What to send"
        tabs={tabs}
        active={besides.value ?? mode.value}
        onChange={(next) => {
          const isForm = next === 'request' || next === 'text' || next === 'http';
          besides.value = isForm ? undefined : next;
          if (isForm) mode.value = next;
        }}
        aside={
          <>
            <SendTarget composer={composer} />
            <button
              type="button"
              aria-label="Close the form"
              title="Close the form"
              onClick={() => (model.composer.isOpen.value = false)}
            >
              <Icon name="close" />
            </button>
          </>
        }
      >
        {besides.value === 'tasks' && <TasksTab model={model} />}
        {besides.value === 'subscriptions' && <SubscriptionsTab model={model} />}
        {besides.value === 'run' && <RunTab model={model} />}
        {besides.value === 'compare' && <ConnectionsTab model={model} />}
        {besides.value === undefined && <ComposeForm desk={desk} model={model} />}
      </Tabs>
    </section>
  );
}
