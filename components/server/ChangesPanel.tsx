import { useSignal } from '@preact/signals';
import { toDiffLines } from '../../lib/compare/diff-lines.ts';
import { LISTS } from '../../lib/state/server/server-entries.ts';
import type { DefinitionChange } from '../../lib/state/server/server-changes.ts';
import type { ServerView } from '../../lib/state/server/server-model.ts';
import { formatClock, formatCount } from '../../lib/text.ts';
import { DiffTable } from '../compare/DiffTable.tsx';
import { VisibleText } from '../json/VisibleText.tsx';
import { ForgetButton } from './ForgetButton.tsx';
import '../compare/CompareScreen.css';

const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

/** What a server lists now and did not at the last visit, or the other way round. */
export function ChangesPanel({ view: { visits } }: { view: ServerView }) {
  const found = visits.changes.value;
  const trouble = visits.trouble.value;
  if (found === undefined) {
    return trouble === undefined ? null : <p class="warning">{trouble}</p>;
  }
  const { since, changes } = found;
  const flips = changes.flatMap(({ change }) => change.flipped);
  return (
    <section class="server-overview-part changes" aria-label="Since the last visit">
      <h3>
        Since the last visit <span class="dim">{toDay(since)}</span>
      </h3>
      {trouble !== undefined && <p class="warning">{trouble}</p>}
      <p role="status" class={flips.length > 0 ? 'warning' : ''}>
        {changes.length === 0
          ? 'Nothing has changed in what was loaded.'
          : `${formatCount(changes.length, 'definition')} changed${
              flips.length === 0 ? '' : `, ${formatCount(flips.length, 'hint')} flipped`
            }.`}
      </p>
      <ul>
        {changes.map(({ kind, change }) => (
          <li key={`${kind} ${change.kind} ${change.name}`} class={`change-${change.kind}`}>
            <ChangeLine title={LISTS[kind].title} change={change} />
          </li>
        ))}
      </ul>
      <ForgetButton visits={visits} />
    </section>
  );
}

function ChangeLine({ title, change }: { title: string; change: DefinitionChange }) {
  const { kind, name, diff, flipped } = change;
  const isOpen = useSignal(false);
  const words = (
    <>
      <span aria-hidden="true">{SIGNS[kind]}</span> <VisibleText text={name} />{' '}
      <span class="dim">
        {title}, {kind}
      </span>
      {flipped.length > 0 && <strong class="warning"> {flipped.join(', ')}</strong>}
    </>
  );
  if (diff === undefined) return words;
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{words}</summary>
      {isOpen.value && (
        <DiffTable
          label={`Difference of ${name}`}
          {...toDiffLines(diff, { onlyDifferences: true })}
        />
      )}
    </details>
  );
}

function toDay(wallTime: number): string {
  const date = new Date(wallTime);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${date.getFullYear()}-${month}-${day} ${formatClock(wallTime).slice(0, 5)}`;
}
