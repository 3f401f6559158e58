import { useComputed, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { ConnectionSummary } from '../../lib/port/contract.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { toConnectCard, toFoundBy } from '../../lib/state/connect-card.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { ConnectLine } from './ConnectLine.tsx';
import { ForceButtons } from './ForceButtons.tsx';
import './ConnectCard.css';

interface ConnectCardProps {
  connection: ConnectionSummary;
  model: AppModel;
}

/** How a connection came about: open while that is news, one button afterwards. */
export function ConnectCard({ connection, model }: ConnectCardProps) {
  const { state, connectionId } = connection;
  const isNews = state === 'connecting' || state === 'failed';
  const isOpen = useSignal(false);
  const id = useId();
  const foundBy = useComputed(() => {
    readsLog(model);
    const { connections } = model.correlation;
    if ((connections.get(connectionId)?.rungs.length ?? 0) === 0) return undefined;
    return toFoundBy(connectionId, model.correlation) ?? 'how it went';
  });
  return (
    <>
      {!isNews && foundBy.value !== undefined && (
        <button
          type="button"
          class="connect-toggle"
          aria-expanded={isOpen.value}
          aria-controls={id}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {foundBy.value} ›
        </button>
      )}
      {(isNews || isOpen.value) && (
        <div class="connect-card" id={id}>
          <OpenCard connection={connection} model={model} />
        </div>
      )}
    </>
  );
}

function OpenCard({ connection, model }: ConnectCardProps) {
  readsLog(model);
  const { connectionId, state, problem } = connection;
  const card = toConnectCard(connectionId, model.correlation);
  const titleId = useId();
  return (
    <>
      {card !== undefined && (
        <div aria-live="off">
          <h2 id={titleId}>{card.title}</h2>
          <ol class="connect-lines" aria-labelledby={titleId}>
            {card.lines.map((line) => (
              <ConnectLine key={line.key} line={line} connection={connection} model={model} />
            ))}
          </ol>
        </div>
      )}
      {card?.firstError !== undefined && (
        <>
          <p>The first error:</p>
          <ProblemNotice problem={card.firstError} />
        </>
      )}
      {card?.verdict && <p class="connect-verdict">{card.verdict}</p>}
      {state === 'failed' && problem !== undefined && <ProblemNotice problem={problem} />}
      {(card !== undefined || state === 'connecting') && (
        <ForceButtons connection={connection} model={model} />
      )}
    </>
  );
}

/** Items change in place: who reads a row is told of every batch that changes one. */
function readsLog({ traffic }: AppModel): void {
  traffic.rowAt(-1);
}
