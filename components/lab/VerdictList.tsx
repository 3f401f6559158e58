import type { AppModel } from '../../lib/state/app-model.ts';
import { indexFromSequence } from '../../lib/state/view/by-sequence.ts';
import type { Resumption } from '../../lib/state/lab/lab-resumptions.ts';
import {
  toBreakWords,
  toStreamName,
  toVerdict,
  type VerdictLevel,
} from '../../lib/state/lab/lab-words.ts';
import { VisibleText } from '../json/VisibleText.tsx';

interface VerdictListProps {
  resumptions: readonly Resumption[];
  model: AppModel;
}

/** Later ones are at hand in the table. */
const SHOWN = 50;

const SIGNS: Record<VerdictLevel, { sign: string; word: string; className?: string }> = {
  good: { sign: '✓', word: 'In order' },
  bad: { sign: '✗', word: 'Fault of the server', className: 'error' },
  open: { sign: '·', word: 'Not judged', className: 'dim' },
};

/** What became of every stream that broke off, the newest first. */
export function VerdictList({ resumptions, model }: VerdictListProps) {
  if (resumptions.length === 0) return null;
  return (
    <div>
      <h2>Verdicts</h2>
      <ol class="lab-verdicts" aria-label="Verdicts">
        {resumptions
          .slice(-SHOWN)
          .toReversed()
          .map((resumption) => (
            <Verdict key={resumption.key} resumption={resumption} model={model} />
          ))}
      </ol>
    </div>
  );
}

function Verdict({ resumption, model }: { resumption: Resumption; model: AppModel }) {
  const { level, verdict, evidence } = toVerdict(resumption);
  const { sign, word, className } = SIGNS[level];
  const { stream, record, broken, findings } = resumption;
  const name = toStreamName(stream);

  function show(): void {
    const { request } = record ?? broken;
    const { items } = model.correlation;
    const item = items[indexFromSequence(items, request.sequence)];
    if (item !== undefined) model.selection.openAt(item, 'stream', findings[0]?.sequence);
  }

  return (
    <li class="lab-verdict">
      <span class={className}>
        <span aria-hidden="true">{sign}</span>
        <span class="visually-hidden">{word}:</span>
      </span>
      <span>
        <strong class={className}>{verdict}</strong>{' '}
        {evidence.map((words) => (
          <span key={words} class="lab-evidence">
            <VisibleText text={words} />
          </span>
        ))}
      </span>
      <span class="dim">
        <VisibleText text={`${name}, ${toBreakWords(resumption)}`} />
      </span>
      <button
        type="button"
        aria-label={`Show ${name} in the table`}
        title="Show it in the table"
        onClick={show}
      >
        ›
      </button>
    </li>
  );
}
