import { untracked, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { linesInTurns } from '../../lib/state/detail/lines-in-turns.ts';
import { toMermaid } from '../../lib/state/diagram/sequence-mermaid.ts';
import { createSequenceModel } from '../../lib/state/diagram/sequence-model.ts';
import { scopeOf } from '../../lib/state/diagram/sequence-scope.ts';
import type { SequenceScope } from '../../lib/state/diagram/sequence-scope.ts';
import type { SequenceStep } from '../../lib/state/diagram/sequence-step.ts';
import { toSvg } from '../../lib/state/diagram/sequence-svg.ts';
import { formatCount } from '../../lib/text.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Screen } from '../ui/Screen.tsx';
import { SequenceSteps } from './SequenceSteps.tsx';
import './DiagramScreen.css';

const SCOPES: readonly { scope: SequenceScope; title: string; hint: string }[] = [
  {
    scope: 'selection',
    title: 'Selected row',
    hint: 'The selected row and all that belongs to it',
  },
  {
    scope: 'shown',
    title: 'Rows shown',
    hint: 'What the table shows, without what is filtered out',
  },
  { scope: 'all', title: 'Whole capture', hint: 'Everything that was recorded' },
];

/** Who said what to whom, in order of time; over the traffic that it is made of. */
export function DiagramScreen({ model }: { model: AppModel }) {
  const { traffic, selection } = model;
  const sequence = useMemo(() => createSequenceModel(model.recorded), [model]);
  const scope = useSignal<SequenceScope>(
    useMemo(() => (selection.item.peek() === undefined ? 'shown' : 'selection'), []),
  );
  useEffect(() => {
    const unwatch = model.watch((changed) => sequence.apply(changed));
    return () => {
      unwatch();
      sequence.stop();
    };
  }, [model, sequence]);
  useSignalEffect(() => {
    const wanted = scope.value;
    const { filter, range, hidden, isSettled } = traffic;
    if (wanted === 'shown') {
      const rows = [filter.text, filter.isInverted, filter.types, range, hidden];
      for (const each of rows) void each.value;
      if (!isSettled.value) return;
    }
    const belongs = scopeOf(wanted, selection.item.peek(), traffic);
    untracked(() => sequence.build(belongs));
  });

  function open({ item }: SequenceStep): void {
    model.diagram.isOpen.value = false;
    traffic.reveal(item);
    selection.open(item);
  }

  const diagram = sequence.diagram.value;
  const isBuilding = sequence.isBuilding.value;
  // It changes in place; this is the sign to look again.
  const version = sequence.version.value;
  const lifelines = diagram.lifelines();

  return (
    <Screen
      id="diagram"
      title="Sequence diagram"
      isOpen={model.diagram.isOpen}
      bar={
        <>
          <div role="group" aria-label="Diagram of" class="diagram-scopes">
            {SCOPES.map(({ scope: each, title, hint }) => (
              <button
                key={each}
                type="button"
                title={hint}
                aria-pressed={scope.value === each}
                disabled={each === 'selection' && selection.item.value === undefined}
                onClick={() => (scope.value = each)}
              >
                {title}
              </button>
            ))}
          </div>
          <span role="status" aria-label="Diagram" class="dim">
            {formatCount(diagram.steps.length, 'arrow')}
            {isBuilding && ', drawing'}
          </span>
          <CopyButton
            text={async () =>
              (await linesInTurns(toMermaid(lifelines, [...diagram.steps]))).join('')
            }
            name="Copy as Mermaid"
            title="Copy the diagram as text that Mermaid draws; by itself it draws up to 50,000 characters"
          />
          <button type="button" onClick={() => void save(toSvg(lifelines, [...diagram.steps]))}>
            <Icon name="save" />
            Save as SVG
          </button>
        </>
      }
    >
      {diagram.steps.length === 0 && !isBuilding ? (
        <p class="diagram-empty dim">There is nothing to draw. Choose more rows above.</p>
      ) : (
        <SequenceSteps
          lifelines={lifelines}
          steps={diagram.steps}
          version={version}
          onOpen={open}
        />
      )}
    </Screen>
  );
}

async function save(svg: Iterable<string>): Promise<void> {
  saveFile('sequence-diagram.svg', await linesInTurns(svg), 'image/svg+xml');
}
