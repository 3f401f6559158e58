import { useId } from 'preact/hooks';
import type { AuthRecord } from '../../lib/capture/correlate/auth-record.ts';
import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { toGrant } from '../../lib/state/auth/auth-chains.ts';
import { toLadder } from '../../lib/state/auth/auth-ladder.ts';
import { toRefusals } from '../../lib/state/auth/auth-refusals.ts';
import { authSummary } from '../../lib/state/auth/auth-state.ts';
import { authText } from '../../lib/state/auth/auth-text.ts';
import { CodeWords } from '../json/CodeWords.tsx';
import { VisibleText } from '../json/VisibleText.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { GrantFacts } from './GrantFacts.tsx';
import { LadderRow } from './LadderRow.tsx';
import { RefusalPair } from './RefusalPair.tsx';

interface ChainSectionProps {
  record: AuthRecord;
  /** The row whose details these are. */
  item: Item;
  model: AppModel;
}

/** One authorization as a ladder: what was tried, where it stopped, and why. */
export function ChainSection({ record, item, model }: ChainSectionProps) {
  const id = useId();
  const { correlation } = model;
  const ladder = toLadder(record, correlation);
  const { lines, problem } = ladder;
  const refusals = toRefusals(record, correlation);
  const last = lines.at(-1);
  return (
    <section class="detail-section" aria-labelledby={id}>
      <div class="detail-head">
        <h2 id={id}>Authorization</h2>
        {record.item && <span class="dim">{authSummary(record.item, record)}</span>}
        <CopyButton
          text={() => authText(record, ladder)}
          title="Copy the steps as text, for a report; secrets stay masked"
        />
      </div>
      {problem && (
        <div class="auth-stop">
          <p>
            <strong class="error">
              Stopped{last && ` at step ${lines.length}, ${last.what}`}:
            </strong>{' '}
            <CodeWords text={problem.message} />
          </p>
          {problem.advice !== undefined && (
            <p>
              <CodeWords text={problem.advice} />
            </p>
          )}
          {problem.detail !== undefined && (
            <p class="dim">
              <VisibleText text={problem.detail} />
            </p>
          )}
        </div>
      )}
      <ol class="auth-ladder" aria-label="Steps">
        {lines.map((line, index) => (
          <LadderRow
            key={line.key}
            line={line}
            number={index + 1}
            isCurrent={line.httpId !== undefined && line.httpId === item.httpId}
            isStop={problem !== undefined && line === last}
            model={model}
          />
        ))}
      </ol>
      {refusals && <RefusalPair refusals={refusals} />}
      <GrantFacts grant={toGrant(record)} model={model} />
    </section>
  );
}
