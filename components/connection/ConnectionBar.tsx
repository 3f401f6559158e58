import type { AppModel } from '../../lib/state/app-model.ts';
import { isReplayable } from '../../lib/state/replay/replay-links.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { deferred } from '../ui/Deferred.tsx';
import { Icon } from '../ui/Icon.tsx';
import { OpenButton } from '../ui/OpenButton.tsx';
import { ConnectForm } from './ConnectForm.tsx';
import { ConnectionList } from './ConnectionList.tsx';
import './ConnectionBar.css';

const ConnectOptions = deferred(async () => (await import('./ConnectOptions.tsx')).ConnectOptions);

const PageServers = deferred(async () => (await import('./PageServers.tsx')).PageServers);

/** What can be done, where to connect, and what is connected. */
export function ConnectionBar({ model }: { model: AppModel }) {
  const { form, connector, options } = model;
  const areOptionsOpen = options.isOpen;
  const headers = form.headers.value.length;
  return (
    <header class="bar">
      <div class="bar-row">
        <div class="bar-actions">
          <Actions model={model} />
        </div>
        <ConnectForm
          form={form}
          connector={connector}
          onConnect={(isSent) => {
            // A field out of sight cannot be put right.
            if (!isSent && Object.keys(options.faults.value).length > 0)
              options.isOpen.value = true;
          }}
        >
          <button
            type="button"
            aria-expanded={areOptionsOpen.value}
            title="What the next connection does: headers, transport, authorization, answers"
            aria-controls="connect-options"
            onClick={() => (areOptionsOpen.value = !areOptionsOpen.value)}
          >
            <Icon name="options" />
            <span class="bar-label">
              {headers === 0 ? 'Options' : `Options, headers (${headers})`}
            </span>
          </button>
          <OpenButton
            id="report-button"
            label="Transport report"
            title="Try every transport and revision, and see which clients would connect"
            icon="report"
            isOpen={model.report.isOpen}
          />
        </ConnectForm>
      </div>
      <div id="connect-options" hidden={!areOptionsOpen.value}>
        {areOptionsOpen.value && <ConnectOptions model={model} />}
      </div>
      <PageServers model={model} />
      {connector.problem.value && <ProblemNotice problem={connector.problem.value} isAlert />}
      <ConnectionList model={model} />
    </header>
  );
}

function Actions({ model }: { model: AppModel }) {
  const { composer, replay, selection, search, diagram, server } = model;
  const item = selection.item.value;
  const canReplay = isReplayable(item);
  return (
    <>
      <button
        type="button"
        title={
          canReplay ? 'Send the selected request again (R)' : 'Select an outgoing request first'
        }
        disabled={!canReplay}
        onClick={() => replay.start(item)}
      >
        <Icon name="replay" />
        Replay
      </button>
      <button
        type="button"
        aria-expanded={composer.isOpen.value}
        onClick={() => (composer.isOpen.value = !composer.isOpen.value)}
      >
        <Icon name="send" />
        Send a request
      </button>
      <OpenButton
        id="search-button"
        label="Search"
        title="Find text in everything that was recorded"
        icon="search"
        isOpen={search.isOpen}
      />
      <OpenButton
        id="diagram-button"
        label="Diagram"
        title="Show who said what to whom, as a sequence diagram"
        icon="diagram"
        isOpen={diagram.isOpen}
      />
      <OpenButton
        id="server-button"
        label="Server"
        title="Show what the server offers: tools, resources, prompts"
        icon="server"
        isOpen={server.isOpen}
      />
    </>
  );
}
