import { useState } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { lineMs, type LadderLine, type LadderVerdict } from '../../lib/state/auth/auth-ladder.ts';
import { signOf } from '../../lib/state/auth/auth-signs.ts';
import { formatDuration } from '../../lib/text.ts';
import { CodeWords } from '../json/CodeWords.tsx';
import { VisibleText } from '../json/VisibleText.tsx';
import { RunningTime } from '../RunningTime.tsx';
import { HeadersTab } from '../detail/HeadersTab.tsx';
import { AskedPage } from './AskedPage.tsx';
import { ClauseLink } from './ClauseLink.tsx';
import { openExchange, rowOfExchange } from './open-exchange.ts';

interface LadderRowProps {
  line: LadderLine;
  number: number;
  /** The exchange whose details are shown. */
  isCurrent: boolean;
  /** Where the authorization came to its end. */
  isStop: boolean;
  model: AppModel;
}

const VERDICTS: Record<LadderVerdict['verdict'], string> = {
  used: '',
  'passed-over': 'passed over: ',
  refused: 'refused: ',
  noted: 'noted: ',
};

/** One step: what was done, what came of it, who says so, and what to change. */
export function LadderRow({ line, number, isCurrent, isStop, model }: LadderRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { place, status, token, isStale, isOfUser, others, url, httpId = '' } = line;
  const { sign, word, level } = signOf(line, isStop);
  const record = model.correlation.https.get(httpId);
  return (
    <li class="auth-line" aria-current={isCurrent ? 'step' : undefined}>
      <div class="auth-head">
        <span class="dim auth-number">{number}</span>
        <span class={level}>
          <span aria-hidden="true">{sign}</span>
          <span class="visually-hidden">{word}:</span>
        </span>
        <LineName
          line={line}
          isOpen={isOpen}
          model={model}
          onToggle={record && (() => setOpen(!isOpen))}
        />
        <span class="auth-place" title={url?.text}>
          <VisibleText text={place} />
        </span>
        <span class={level}>{status}</span>
        {token !== undefined && (
          <span class="auth-token">
            token ‹{token}›{isStale && <span class="error"> stale: refused before</span>}
          </span>
        )}
        <span class="dim auth-time">
          {isOfUser && 'you '}
          <LineTime line={line} model={model} />
        </span>
      </div>
      {others > 0 && <p class="auth-said dim">{waiting(others)}</p>}
      {line.topic === 'consent' && url && <AskedPage url={url} secrets={model.secrets} />}
      {line.verdicts.map((verdict, index) => (
        <Verdict key={index} verdict={verdict} />
      ))}
      {isOpen && record && (
        <HeadersTab record={record} revision={record.request.sequence} model={model} />
      )}
    </li>
  );
}

interface LineNameProps {
  line: LadderLine;
  isOpen: boolean;
  model: AppModel;
  /** Present where there is an exchange. */
  onToggle: (() => void) | undefined;
}

/** Opens the row of the exchange; an earlier attempt of a row opens right here. */
function LineName({ line, isOpen, model, onToggle }: LineNameProps) {
  const { what, httpId } = line;
  if (httpId === undefined || onToggle === undefined) return <strong>{what}</strong>;
  if (rowOfExchange(model, httpId) === undefined) {
    return (
      <button type="button" class="link" aria-expanded={isOpen} onClick={onToggle}>
        {what}
      </button>
    );
  }
  return (
    <button type="button" class="link" onClick={() => openExchange(model, httpId)}>
      {what}
    </button>
  );
}

function Verdict({ verdict: { verdict, reason, clause, fix } }: { verdict: LadderVerdict }) {
  return (
    <div class="auth-said">
      <p>
        <span class={verdict === 'refused' ? 'error' : verdict === 'noted' ? 'warning' : ''}>
          {VERDICTS[verdict]}
          <CodeWords text={reason} />
        </span>
        {clause && (
          <span class={verdict === 'used' ? 'auth-clause is-quiet' : 'auth-clause'}>
            <ClauseLink clause={clause} />
          </span>
        )}
      </p>
      {fix !== undefined && (
        <p>
          <strong>To change:</strong> <CodeWords text={fix} />
        </p>
      )}
    </div>
  );
}

function LineTime({ line, model }: { line: LadderLine; model: AppModel }) {
  if (line.isOpen) return <RunningTime clock={model.clock} since={line.started.wallTime} />;
  const ms = lineMs(line);
  return <>{ms === undefined ? '' : formatDuration(ms)}</>;
}

function waiting(others: number): string {
  return others === 1
    ? 'One more request waited for this authorization.'
    : `${others} more requests waited for this authorization.`;
}
