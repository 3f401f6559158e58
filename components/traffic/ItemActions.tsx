import type { Item } from '../../lib/capture/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { canSend } from '../../lib/state/connection-words.ts';

interface ItemActionsProps {
  item: Item;
  /** Grows with the item, which changes in place. */
  revision: number;
  model: AppModel;
}

/** What can be done about a request that is still open: cancel ours, answer theirs. */
export function ItemActions({ item, model }: ItemActionsProps) {
  const { connector, questions } = model;
  if (item.kind !== 'request' || item.outcome !== 'pending') return null;
  const { connectionId, rpcId } = item;
  if (item.direction === 'incoming') {
    const question = questions.find(item);
    if (question === undefined) return null;
    return (
      <button type="button" onClick={() => questions.show(question)}>
        Answer
      </button>
    );
  }
  const isLive = model.connections.value.some(
    (connection) => connection.connectionId === connectionId && canSend(connection),
  );
  if (connectionId === undefined || !isLive) return null;
  return (
    <button
      type="button"
      title="Stop waiting, and tell the server so"
      onClick={() => connector.cancelRequest(connectionId, rpcId)}
    >
      Cancel
    </button>
  );
}
