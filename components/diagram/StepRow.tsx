import type { Lifeline } from '../../lib/state/diagram/sequence-lifelines.ts';
import type { SequenceStep } from '../../lib/state/diagram/sequence-step.ts';
import { formatClock } from '../../lib/text.ts';

interface StepRowProps {
  id: string;
  step: SequenceStep;
  index: number;
  top: number;
  lifelines: readonly Lifeline[];
  /** Places of its ends among the lifelines. */
  from: number;
  to: number;
  isActive: boolean;
  onOpen: () => void;
}

const STATE_SIGNS = { done: '', pending: '…', warning: '▲', error: '✕' } as const;
const STATE_WORDS = {
  done: '',
  pending: ', pending',
  warning: ', warning',
  error: ', error',
} as const;

/** One arrow between two lifelines, or a note across them. */
export function StepRow(props: StepRowProps) {
  const { id, step, index, top, lifelines, from, to, isActive, onOpen } = props;
  const { kind, label, state, time } = step;
  const lane = 100 / lifelines.length;
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const isNote = kind === 'note';
  // A note covers its lifelines; a label stands between them.
  const start = isNote ? left * lane : (left + 0.5) * lane;
  const width = isNote ? (right - left + 1) * lane : (right - left) * lane;
  const ends = [from, to].map((line) => lifelines[line]?.title ?? '');
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys and the focus
    <div
      role="row"
      id={id}
      class={`step step-${kind} step-${state}`}
      style={{ top: `${top}px` }}
      aria-rowindex={index + 2}
      aria-selected={isActive}
      title={`${formatClock(time)}  ${label}`}
      onClick={onOpen}
    >
      <div role="gridcell" class="diagram-time">
        {formatClock(time)}
      </div>
      <div role="gridcell" class="step-lanes" aria-colspan={lifelines.length}>
        <svg aria-hidden="true">
          {lifelines.map((line, at) => (
            <line
              key={line.id}
              class="step-lifeline"
              x1={`${(at + 0.5) * lane}%`}
              x2={`${(at + 0.5) * lane}%`}
              y1="0"
              y2="100%"
            />
          ))}
          {!isNote && (
            <line
              class="step-arrow"
              x1={`${(from + 0.5) * lane}%`}
              x2={`${(to + 0.5) * lane}%`}
              y1="25"
              y2="25"
            />
          )}
        </svg>
        {!isNote && (
          <span
            aria-hidden="true"
            class={`step-head ${to > from ? 'is-right' : 'is-left'}`}
            style={{ left: `${(to + 0.5) * lane}%` }}
          />
        )}
        <span class="step-label" style={{ left: `${start}%`, width: `${width}%` }}>
          <span class="visually-hidden">{isNote ? 'Note: ' : `${ends[0]} to ${ends[1]}: `}</span>
          <span class="step-text">{label}</span>
          <span aria-hidden="true">{STATE_SIGNS[state]}</span>
          <span class="visually-hidden">{STATE_WORDS[state]}</span>
        </span>
      </div>
    </div>
  );
}
