import { useMemo } from 'preact/hooks';
import type { HttpRecord, Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { chainsOf } from '../../lib/state/auth/auth-chains.ts';
import { credentialOf } from '../../lib/state/auth/auth-exchange.ts';
import { toAuthFacts } from '../../lib/state/auth/auth-facts.ts';
import { CodeWords } from '../json/CodeWords.tsx';
import { HeaderList } from '../detail/HeaderList.tsx';
import { AuthSteps } from './AuthSteps.tsx';
import { ChainSection } from './ChainSection.tsx';
import { ChallengeSection } from './ChallengeSection.tsx';
import { TokenText } from './TokenText.tsx';
import './AuthTab.css';

interface AuthTabProps {
  item: Item;
  /** Absent where the row has no exchange. */
  record: HttpRecord | undefined;
  /** Grows with the item, which changes in place. */
  revision: number;
  model: AppModel;
}

/** Why a request was refused for its credentials, what was tried about it, and what can be done. */
export function AuthTab({ item, record, revision, model }: AuthTabProps) {
  const { correlation } = model;
  // Who reads a row is told of every batch: a chain goes on while its request does not change.
  model.traffic.rowAt(-1);
  const chains = chainsOf(item, correlation);
  return (
    <div class="auth-tab">
      {chains.map((chain) => (
        <ChainSection key={chain.chain} record={chain} item={item} model={model} />
      ))}
      {record !== undefined && (
        <Refusal
          item={item}
          record={record}
          revision={revision}
          model={model}
          hasChain={chains.length > 0}
        />
      )}
    </div>
  );
}

interface RefusalProps extends AuthTabProps {
  record: HttpRecord;
  /** The ladder tells what was sent, and why. */
  hasChain: boolean;
}

function Refusal({ item, record, revision, model, hasChain }: RefusalProps) {
  const { correlation, secrets } = model;
  const facts = useMemo(
    () => toAuthFacts(record, item, correlation),
    [record, item, revision, correlation],
  );
  if (facts === undefined) return null;
  const { challenges, ignored } = facts.parsed;
  const token = credentialOf(record).fingerprint;
  return (
    <>
      {!hasChain && facts.advice.length > 0 && (
        <ul class="auth-advice">
          {facts.advice.map((advice) => (
            <li key={advice}>
              <CodeWords text={advice} />
            </li>
          ))}
        </ul>
      )}
      {!hasChain && (
        <>
          <AuthSteps steps={facts.steps} model={model} />
          {token !== undefined && (
            <div class="auth-token-text">
              <TokenText key={token} token={token} model={model} />
            </div>
          )}
        </>
      )}
      {challenges.map((challenge, index) => (
        <ChallengeSection key={index} challenge={challenge} number={index + 1} />
      ))}
      {ignored.length > 0 && (
        <section class="detail-section" aria-label="What could not be read">
          {ignored.map((words) => (
            <p key={words} class="warning">
              <CodeWords text={words} />
            </p>
          ))}
        </section>
      )}
      {facts.headers.length > 0 && (
        <HeaderList title="Challenges as sent" headers={facts.headers} secrets={secrets} />
      )}
    </>
  );
}
