import { useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { AppModel } from '../../lib/state/app-model.ts';
import { annotationWords } from '../../lib/state/server/server-annotations.ts';
import type { Entry } from '../../lib/state/server/server-entries.ts';
import type { ServerModel, ServerView } from '../../lib/state/server/server-model.ts';
import type { EntryWork } from '../../lib/state/server/server-work.ts';
import { formatBytes, formatCount } from '../../lib/text.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { focusFault } from '../schema/focus-fault.ts';
import { SchemaForm } from '../schema/SchemaForm.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { JsonView } from './JsonView.tsx';
import { RunView } from './RunView.tsx';

interface EntryPaneProps {
  entry: Entry;
  view: ServerView;
  servers: ServerModel;
  model: AppModel;
}

/** The form is not to be pushed out of sight by what stands above it. */
function isLong(description: string): boolean {
  return description.length > 1500 || description.split('\n').length > 12;
}

/** One entry of a list: what the server says of it, the form to use it, and what came of that. */
export function EntryPane({ entry, view, servers, model }: EntryPaneProps) {
  const work = view.workOf(entry);
  const { name, title, description, faults, excluded, isDuplicate } = entry;
  const pane = useRef<HTMLDivElement>(null);
  const runs = work.runs.value;
  return (
    <div class="entry" ref={pane}>
      <header class="entry-head">
        <h3>
          <VisibleText text={name} />
        </h3>
        {title !== undefined && title !== name && (
          <p>
            <VisibleText text={title} />
          </p>
        )}
        {description !== undefined && (
          <div
            class="server-text"
            // What scrolls has to be reached by keyboard too.
            {...(isLong(description) && {
              tabIndex: 0,
              role: 'region',
              'aria-label': 'Description',
            })}
          >
            <VisibleText text={description} />
          </div>
        )}
        {annotationWords(entry).map((words) => (
          <p key={words} class="dim">
            {words}
          </p>
        ))}
        {faults.map((fault) => (
          <p key={fault} class="error">
            Invalid: {fault}.
          </p>
        ))}
        {excluded !== undefined && (
          <p class="warning">Clients have to leave it out, since {excluded}.</p>
        )}
        {isDuplicate && (
          <p class="warning">Another one has the same name; a call cannot say which is meant.</p>
        )}
      </header>
      <WorkForm entry={entry} view={view} servers={servers} work={work} pane={pane} />
      {runs.map((run) => (
        <RunView
          key={run.number}
          run={run}
          entry={entry}
          isNewest={run === runs[0]}
          model={model}
          view={view}
        />
      ))}
      <Definition entry={entry} />
    </div>
  );
}

interface WorkFormProps extends Omit<EntryPaneProps, 'model'> {
  work: EntryWork;
  pane: { readonly current: HTMLElement | null };
}

/** The form of an entry, and the button that sends it. What does not fit the schema is sent when asked for twice. */
function WorkForm({ entry, view, servers, work, pane }: WorkFormProps) {
  const { form, verb } = work;
  const isLive = servers.live.value?.connectionId === view.connectionId;
  const fault = form?.fault.value;
  const problems = form?.problems.value.length ?? 0;
  const hasTried = form?.hasTried.value === true;
  const uri = entry.kind === 'templates' ? work.uri() : undefined;

  function send(): void {
    // As it is now: Enter may come before what was typed is drawn.
    const isFaulty = form?.fault.value !== undefined || (form?.problems.value.length ?? 0) > 0;
    if (form !== undefined && isFaulty) {
      form.hasTried.value = true;
      focusFault(() => pane.current);
      return;
    }
    work.send(view.connectionId);
  }

  return (
    <form
      class="entry-form"
      aria-label={`${verb} ${entry.name}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {form !== undefined && (
        <SchemaForm form={form} label={entry.kind === 'templates' ? 'Variables' : 'Arguments'} />
      )}
      {uri !== undefined && (
        <p class="entry-uri">
          <span class="dim">URI </span>
          <code aria-label="Expanded URI">
            <VisibleText text={uri} />
          </code>
        </p>
      )}
      <div class="entry-actions">
        <button
          type="submit"
          class="primary"
          title={`${verb} it (Ctrl or Cmd with Enter)`}
          disabled={!isLive}
        >
          {verb}
        </button>
        {hasTried && problems > 0 && fault === undefined && (
          <button
            type="button"
            class="bordered"
            disabled={!isLive}
            title="Send it although it does not fit its schema"
            onClick={() => work.send(view.connectionId)}
          >
            Send anyway
          </button>
        )}
        {work.asTask !== undefined && (
          <label title="The call may be answered by a task, which goes on by itself">
            <input
              type="checkbox"
              checked={work.asTask.value}
              onChange={(event) => {
                if (work.asTask !== undefined) work.asTask.value = event.currentTarget.checked;
              }}
            />
            Allow a task
          </label>
        )}
        {fault === undefined && (
          <CopyButton
            name="Copy params"
            title="Copy the params of the request as they would be sent now"
            text={() => work.toRequest()?.paramsText ?? ''}
          />
        )}
        <span role="status" class={hasTried ? 'error' : 'dim'}>
          {fault ?? (problems > 0 ? `${formatCount(problems, 'problem')} with the schema` : '')}
        </span>
        {!isLive && <span class="dim">Connect to use it.</span>}
      </div>
    </form>
  );
}

function Definition({ entry }: { entry: Entry }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="entry-definition"
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>
        Definition <span class="dim">{formatBytes(entry.sizeBytes)}</span>
      </summary>
      {isOpen.value && <JsonView label="Definition" text={entry.source} />}
    </details>
  );
}
