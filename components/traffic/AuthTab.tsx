import { useMemo } from 'preact/hooks';
import type { HttpRecord, Item } from '../../lib/capture/items.ts';
import type { Challenge } from '../../lib/protocol/challenge.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { toAuthFacts, type AuthStep } from '../../lib/state/auth-facts.ts';
import { formatDuration } from '../../lib/text.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { HeaderList } from './HeaderList.tsx';
import './AuthTab.css';

interface AuthTabProps {
  item: Item;
  record: HttpRecord;
  /** Grows with the item, which changes in place. */
  revision: number;
  model: AppModel;
}

/** Why a request was refused for its credentials, what was tried about it, and what can be done. */
export function AuthTab({ item, record, revision, model }: AuthTabProps) {
  const { correlation, secrets } = model;
  const facts = useMemo(
    () => toAuthFacts(record, item, correlation),
    [record, item, revision, correlation],
  );
  if (facts === undefined) return null;
  const { challenges, ignored } = facts.parsed;
  return (
    <div class="auth-tab">
      {facts.advice.length > 0 && (
        <ul class="auth-advice">
          {facts.advice.map((advice) => (
            <li key={advice}>
              <VisibleText text={advice} />
            </li>
          ))}
        </ul>
      )}
      <StepTable steps={facts.steps} model={model} />
      {challenges.map((challenge, index) => (
        <ChallengeSection key={index} challenge={challenge} number={index + 1} />
      ))}
      {ignored.length > 0 && (
        <section class="detail-section" aria-label="What could not be read">
          {ignored.map((words) => (
            <p key={words} class="warning">
              <VisibleText text={words} />
            </p>
          ))}
        </section>
      )}
      {facts.headers.length > 0 && (
        <HeaderList title="Challenges as sent" headers={facts.headers} secrets={secrets} />
      )}
    </div>
  );
}

function StepTable({ steps, model }: { steps: readonly AuthStep[]; model: AppModel }) {
  return (
    <section class="detail-section" aria-labelledby="auth-steps">
      <div class="detail-head">
        <h2 id="auth-steps">What was sent</h2>
      </div>
      <table class="auth-steps">
        <thead>
          <tr>
            {['#', 'Request', 'Status', 'Credential', 'Time'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step.httpId} aria-current={step.isOwn ? 'true' : undefined}>
              <td class="dim">{index + 1}</td>
              <td>
                <StepName step={step} model={model} />
              </td>
              <td>{step.status}</td>
              <td>{step.credential}</td>
              <td class="auth-time">
                {step.durationMs === undefined ? '' : formatDuration(step.durationMs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function StepName({ step, model }: { step: AuthStep; model: AppModel }) {
  if (step.isOwn) return <strong>{step.what}</strong>;
  function open(): void {
    const found = model.correlation.items.find(({ httpId }) => httpId === step.httpId);
    if (found === undefined) return;
    model.traffic.reveal(found);
    model.selection.openAt(found, 'headers');
  }
  return (
    <button type="button" class="link" onClick={open}>
      {step.what}
    </button>
  );
}

function ChallengeSection({ challenge, number }: { challenge: Challenge; number: number }) {
  const { scheme, token68, params } = challenge;
  return (
    <section class="detail-section" aria-label={`Challenge ${number}`}>
      <div class="detail-head">
        <h2>
          Challenge {number}: <VisibleText text={scheme} />
        </h2>
      </div>
      <dl class="header-list">
        {token68 !== undefined && [<dt key="name">token68</dt>, <dd key="value">{token68}</dd>]}
        {params.map(({ name, value, notes }, index) => [
          <dt key={`${index} name`}>{name}</dt>,
          <dd key={index}>
            <VisibleText text={value} />
            {notes.length > 0 && (
              <span class="warning"> {notes.join(', ').replaceAll('-', ' ')}</span>
            )}
          </dd>,
        ])}
      </dl>
      {token68 === undefined && params.length === 0 && <p class="dim">Without parameters.</p>}
    </section>
  );
}
