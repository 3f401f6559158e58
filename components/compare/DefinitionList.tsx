import { useMemo } from 'preact/hooks';
import { toDiffLines } from '../../lib/compare/diff-lines.ts';
import type { DefinitionDiff } from '../../lib/compare/definition-diff.ts';
import type { CompareModel } from '../../lib/state/captures/compare-model.ts';
import { DiffTable } from './DiffTable.tsx';

const SIGNS = { same: '=', changed: '≠', removed: '−', added: '+' } as const;
const WORDS = {
  same: 'same',
  changed: 'changed',
  removed: 'only in the first',
  added: 'only in the second',
} as const;

/** Tools, prompts and resources that the servers of the two captures offer. */
export function DefinitionList({ model }: { model: CompareModel }) {
  const shown = model.shownDefinitions.value;
  if (shown.length === 0) {
    return (
      <p class="compare-empty dim">
        {model.definitions.value.length === 0
          ? 'Neither capture holds a list of tools, prompts or resources.'
          : 'No definition differs. Switch “Only differences” off to see all of them.'}
      </p>
    );
  }
  return (
    <div class="compare-definitions">
      {shown.map((definition) => (
        <DefinitionEntry
          key={`${definition.what} ${definition.name}`}
          definition={definition}
          onlyDifferences={model.onlyDifferences.value}
        />
      ))}
    </div>
  );
}

interface EntryProps {
  definition: DefinitionDiff;
  onlyDifferences: boolean;
}

function DefinitionEntry({ definition, onlyDifferences }: EntryProps) {
  const { kind, what, name, parts } = definition;
  return (
    <details class={`is-${kind}`}>
      <summary>
        <span class="compare-sign" aria-hidden="true">
          {SIGNS[kind]}
        </span>{' '}
        {what} <strong>{name}</strong>{' '}
        <span class="dim">
          {WORDS[kind]}
          {parts.length > 0 && `: ${parts.join(', ')}`}
        </span>
      </summary>
      <DefinitionLines definition={definition} onlyDifferences={onlyDifferences} />
    </details>
  );
}

function DefinitionLines({ definition, onlyDifferences }: EntryProps) {
  const { name, diff, before, after } = definition;
  const { lines, isCut } = useMemo(() => {
    if (diff !== undefined) return toDiffLines(diff, { onlyDifferences });
    const kind = before === undefined ? 'added' : 'removed';
    return toDiffLines({ kind, value: before ?? after ?? {}, isIgnored: false });
  }, [diff, before, after, onlyDifferences]);
  return <DiffTable label={name} lines={lines} isCut={isCut} />;
}
