import { useEffect, useId, useState } from 'preact/hooks';
import type { ConnectionSummary } from '../../lib/port/contract.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { toConnectCard, toFoundBy } from '../../lib/state/connect/connect-card.ts';
import { CodeWords } from '../json/CodeWords.tsx';
import { ConnectLine } from './ConnectLine.tsx';
import { ForceButtons } from './ForceButtons.tsx';
import './ConnectCard.css';

// This is a chunk of its own. It imports nothing that the popup shares with the panel, `@preact/signals`
// and `ProblemNotice` among it: the bundler would cut what both of them load first into more and larger pieces.

interface ConnectCardProps {
  connection: ConnectionSummary;
  model: AppModel;
}

/** Most connections are made sooner, ms: a card for them would push the table down and up again. */
const PATIENCE_MS = 400;

/** How a connection came about: open while that is news, one button afterwards. */
export function ConnectCard({ connection, model }: ConnectCardProps) {
  const { state } = connection;
  const isLate = useIsLate(connection);
  const isNews = state === 'failed' || (state === 'connecting' && isLate);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      {!isNews && state !== 'connecting' && (
        <FoundToggle
          connection={connection}
          model={model}
          cardId={id}
          isOpen={isOpen}
          onToggle={() => setOpen(!isOpen)}
        />
      )}
      {(isNews || isOpen) && (
        <div class="connect-card" id={id}>
          <OpenCard connection={connection} model={model} />
        </div>
      )}
    </>
  );
}

/** Whether a connection takes so long to be made that it is worth a look. */
function useIsLate({ state, since }: ConnectionSummary): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (state !== 'connecting') return undefined;
    const timer = setTimeout(() => setLate(true), since + PATIENCE_MS - Date.now());
    return () => clearTimeout(timer);
  }, [state, since]);
  return isLate;
}

interface FoundToggleProps extends ConnectCardProps {
  cardId: string;
  isOpen: boolean;
  onToggle: () => void;
}

function FoundToggle({ connection, model, cardId, isOpen, onToggle }: FoundToggleProps) {
  readsLog(model);
  const { connectionId } = connection;
  const { connections } = model.correlation;
  if ((connections.get(connectionId)?.rungs.length ?? 0) === 0) return null;
  return (
    <button
      type="button"
      class="connect-toggle"
      aria-expanded={isOpen}
      aria-controls={cardId}
      onClick={onToggle}
    >
      <CodeWords text={`${toFoundBy(connectionId, model.correlation) ?? 'how it went'} ›`} />
    </button>
  );
}

function OpenCard({ connection, model }: ConnectCardProps) {
  readsLog(model);
  const card = toConnectCard(connection.connectionId, model.correlation);
  const titleId = useId();
  if (card === undefined) {
    return connection.state === 'connecting' ? (
      <ForceButtons connection={connection} model={model} />
    ) : null;
  }
  const { firstError } = card;
  return (
    <>
      {firstError !== undefined && (
        <p class="connect-first">
          <span class="error">First error:</span>{' '}
          <CodeWords text={`${firstError.message} ${firstError.advice ?? ''}`} />
        </p>
      )}
      {/* Line by line would be too much to be read out; the verdict is not. */}
      <div aria-live="off">
        {/* Where nothing was found, the line above is the URL. */}
        <h2 id={titleId} class={card.state === 'found' ? undefined : 'visually-hidden'}>
          <CodeWords text={card.title} />
        </h2>
        <ol class="connect-lines" aria-labelledby={titleId}>
          {card.lines.map((line) => (
            <ConnectLine key={line.key} line={line} connection={connection} model={model} />
          ))}
        </ol>
      </div>
      {card.verdict !== '' && (
        <p class="connect-verdict">
          <CodeWords text={card.verdict} />
        </p>
      )}
      <ForceButtons connection={connection} model={model} />
    </>
  );
}

/** Items change in place: who reads a row is told of every batch that changes one. */
function readsLog({ traffic }: AppModel): void {
  traffic.rowAt(-1);
}
