import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Lifeline } from '../../lib/state/diagram/sequence-lifelines.ts';
import type { SequenceStep } from '../../lib/state/diagram/sequence-step.ts';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import { StepRow } from './StepRow.tsx';

interface SequenceStepsProps {
  lifelines: readonly Lifeline[];
  steps: readonly SequenceStep[];
  /** Grows with the steps, which change in place. */
  version: number;
  onOpen: (step: SequenceStep) => void;
}

const STEP_HEIGHT = 34;
const HEAD_HEIGHT = 40;
const PAGE = 10;

/** The arrows in order of time: one tab stop, arrow keys, Enter goes to the row. */
export function SequenceSteps({ lifelines, steps, onOpen }: SequenceStepsProps) {
  const id = useId();
  const active = useSignal(-1);
  const at = Math.min(active.value, steps.length - 1);
  const indexes = new Map(lifelines.map((line, index) => [line.id, index]));

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = steps[at];
    const targets: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: Math.max(at, 1) - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: steps.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) active.value = Math.min(Math.max(target, 0), steps.length - 1);
    else if (event.key === 'Enter' && step !== undefined) onOpen(step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <VirtualRows
      class="diagram-steps"
      style={{ '--lanes': lifelines.length }}
      role="grid"
      aria-label="Arrows"
      aria-rowcount={steps.length + 1}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      count={steps.length}
      rowHeight={STEP_HEIGHT}
      active={at}
      bodyRole="rowgroup"
      headHeight={HEAD_HEIGHT}
      head={<LifelineHead lifelines={lifelines} />}
      row={(index, top) => {
        const step = steps[index];
        return (
          step && (
            <StepRow
              key={step.key}
              id={`${id}-${index}`}
              step={step}
              index={index}
              top={top}
              lifelines={lifelines}
              from={indexes.get(step.from) ?? 0}
              to={indexes.get(step.to) ?? 0}
              isActive={index === at}
              onOpen={() => onOpen(step)}
            />
          )
        );
      }}
    />
  );
}

function LifelineHead({ lifelines }: Pick<SequenceStepsProps, 'lifelines'>) {
  return (
    <div role="rowgroup" class="diagram-head">
      <div role="row" aria-rowindex={1} class="diagram-head-row">
        <div role="columnheader" class="diagram-time">
          Time
        </div>
        {lifelines.map(({ id, title, note }) => (
          <div key={id} role="columnheader" class="lifeline" title={`${title}, ${note}`}>
            <strong>{title}</strong>
            <span class="dim">{note}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
