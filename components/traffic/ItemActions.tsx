import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { decisiveItem } from '../../lib/state/view/call-state.ts';
import { canSend } from '../../lib/state/connect/connection-state.ts';
import { isPending } from '../../lib/state/view/item-status.ts';

interface ItemActionsProps {
  item: Item;
  /** Grows with the item, which changes in place. */
  revision: number;
  model: AppModel;
}

/** What can be done about a request that is still open: cancel ours, answer theirs. */
export function ItemActions({ item, model }: ItemActionsProps) {
  const { connector, questions, correlation } = model;
  const decisive = decisiveItem(item, correlation);
  if (decisive.kind !== 'request' || !isPending(item, correlation)) return null;
  const question = questions.find(decisive);
  if (question !== undefined) {
    return (
      <button type="button" onClick={() => questions.show(question)}>
        Answer
      </button>
    );
  }
  const { connectionId, rpcId, direction, outcome } = decisive;
  if (direction === 'incoming' || outcome !== 'pending') return null;
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
