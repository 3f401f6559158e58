import { useEffect, useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { composerDeskOf } from '../../lib/state/composer/composer-desk.ts';
import { checkOutput } from '../../lib/state/server/server-output.ts';
import type { CallRun } from '../../lib/state/server/server-call.ts';
import type { Entry } from '../../lib/state/server/server-entries.ts';
import type { ServerView } from '../../lib/state/server/server-model.ts';
import type { CallResult } from '../../lib/state/server/server-results.ts';
import { formatClock, formatCount, formatDuration } from '../../lib/text.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { RunningTime } from '../RunningTime.tsx';
import { ContentView } from './ContentView.tsx';
import { JsonView } from './JsonView.tsx';
import { openRow } from './open-row.ts';

interface RunViewProps {
  run: CallRun;
  entry: Entry;
  isNewest: boolean;
  model: AppModel;
  view: ServerView;
}

/** One request that was sent from the form, how far it has come, and its result. */
export function RunView({ run, entry, isNewest, model, view }: RunViewProps) {
  const item = run.item.value;
  const result = run.result.value;
  // What the server answered says more than that it was an error.
  const problem = run.problem.value ?? (result === undefined ? item?.problem : undefined);
  const section = useRef<HTMLElement>(null);
  const wasOver = useRef(run.isOver.peek());
  const isThere = result !== undefined || problem !== undefined;
  // Where the panel is low, the answer would be below what can be seen; nobody is drawn away from another place.
  useEffect(() => {
    const { current } = section;
    if (wasOver.current || !isNewest || current === null) return;
    const top = current.getBoundingClientRect().top;
    const isLeft = isThere && top > (current.parentElement?.getBoundingClientRect().bottom ?? 0);
    if (!isLeft) current.scrollIntoView({ block: 'nearest' });
  }, [isThere]);
  return (
    <section
      ref={section}
      class="run"
      aria-label={`Result of ${run.method} at ${formatClock(run.sentAt)}`}
    >
      <header class="run-head">
        <strong role="status">{toStateWords(run)}</strong>
        <span class="dim">{formatClock(run.sentAt).slice(0, 8)}</span>
        {!run.isOver.value && (
          <span aria-hidden="true" class="dim">
            <RunningTime clock={model.clock} since={run.sentAt} />
          </span>
        )}
        {item?.ended !== undefined && (
          <span class="dim">{formatDuration(item.ended.wallTime - item.started.wallTime)}</span>
        )}
        {run.knownProblems > 0 && (
          <span class="warning">
            sent although it did not fit its schema ({formatCount(run.knownProblems, 'problem')})
          </span>
        )}
        {!run.isOver.value && !run.isAsking.value && (
          <button type="button" class="bordered" onClick={() => run.cancel()}>
            Cancel
          </button>
        )}
        {item !== undefined && (
          <button type="button" class="link" onClick={() => openRow(model, item)}>
            Show it in the table
          </button>
        )}
      </header>
      <Progress words={run.isOver.value ? undefined : run.progress.value} />
      {run.isAsking.value && <p>The server asks before it goes on: see above.</p>}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {result !== undefined && isNewest && (
        <ResultBody result={result} entry={entry} model={model} view={view} />
      )}
      {result !== undefined && !isNewest && (
        <details>
          <summary>Result</summary>
          <ResultBody result={result} entry={entry} model={model} view={view} />
        </details>
      )}
    </section>
  );
}

function showTasks(model: AppModel): void {
  composerDeskOf(model).besides.value = 'tasks';
  model.composer.isOpen.value = true;
}

function toStateWords(run: CallRun): string {
  const result = run.result.value;
  const item = run.item.value;
  if (run.problem.value !== undefined) return 'Not sent';
  if (run.isAsking.value) return 'Asks for input';
  if (result?.kind === 'error') return 'Error';
  if (result?.kind === 'unreadable') return 'Not readable';
  if (result !== undefined) return result.isError ? 'Failed, as the tool says' : 'Result';
  if (item === undefined || !run.isOver.value) return 'Under way';
  return (
    { cancelled: 'Cancelled', failed: 'Failed', interrupted: 'Interrupted' }[
      item.outcome as string
    ] ?? 'Reading the result'
  );
}

/** `3 of 5 words`, as a bar where the end is known. */
function Progress({ words }: { words: string | undefined }) {
  if (words === undefined) return null;
  const [, done, total] = /^(\S+) of (\S+)/.exec(words) ?? [];
  const [value, max] = [Number(done), Number(total)];
  return (
    <p class="run-progress">
      {max > 0 && value >= 0 && <progress value={value} max={max} aria-label="Progress" />}{' '}
      <VisibleText text={words} />
    </p>
  );
}

function ResultBody({
  result,
  entry,
  model,
  view,
}: Pick<RunViewProps, 'entry' | 'model' | 'view'> & { result: CallResult }) {
  if (result.kind === 'unreadable') return <p class="error">{result.reason}</p>;
  if (result.kind === 'error') {
    return (
      <div class="run-body">
        <p class="error">
          <VisibleText text={result.message} /> ({result.code})
        </p>
        {result.data !== undefined && <JsonView label="Data of the error" text={result.data} />}
      </div>
    );
  }
  const { blocks, structured, description, task, isError } = result;
  const output = entry.kind === 'tools' ? checkOutput(entry, result) : [];
  return (
    <div class={`run-body${isError ? ' is-error' : ''}`}>
      {description !== undefined && (
        <p>
          <VisibleText text={description} />
        </p>
      )}
      {task !== undefined && (
        <p>
          The server has made a task of it: {task}.{' '}
          <button type="button" class="link" onClick={() => showTasks(model)}>
            Follow it under Tasks
          </button>
        </p>
      )}
      {blocks.map((block, index) => (
        <ContentView key={index} block={block} onRead={(uri) => view.read(uri)} />
      ))}
      {output.map(({ words, isGood }) => (
        <p key={words} class={isGood ? 'dim' : 'error'}>
          {words}
        </p>
      ))}
      {structured !== undefined && <JsonView label="Structured content" text={structured} />}
      {blocks.length === 0 && structured === undefined && task === undefined && (
        <JsonView label="Result" text={result.source} />
      )}
    </div>
  );
}
