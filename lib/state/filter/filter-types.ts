import type { Item } from '../../capture/correlate/items.ts';
import type { HttpRecord } from '../../capture/correlate/items.ts';
import type { RowSource } from '../view/rows.ts';
import { ownRecord } from '../view/view-facts.ts';

/** What the chips above the table choose from. None chosen means all. */
export const TYPE_CHIPS = [
  'requests',
  'notifications',
  'server-requests',
  'streams',
  'http',
  'auth',
  'issues',
  'lifecycle',
] as const;

export type TypeChip = (typeof TYPE_CHIPS)[number];

const AUTH_PURPOSES = new Set<HttpRecord['request']['purpose']>([
  'discovery',
  'registration',
  'token',
  'revocation',
]);

/** Whether an item is of one of the types chosen. */
export function isOfTypes(
  item: Item,
  types: ReadonlySet<TypeChip>,
  source: RowSource,
  hasIssue: (item: Item) => boolean,
): boolean {
  return (
    types.has(typeOf(item)) ||
    (types.has('auth') && isAuth(item, source)) ||
    (types.has('issues') && hasIssue(item))
  );
}

function typeOf(item: Item): TypeChip {
  switch (item.kind) {
    case 'request':
      return item.direction === 'incoming' ? 'server-requests' : 'requests';
    case 'notification':
      return 'notifications';
    case 'stream':
    case 'socket':
      return 'streams';
    // What is no message is bytes in an exchange, and nothing more.
    case 'http':
    case 'stray':
      return 'http';
    case 'auth':
      return 'auth';
    case 'lifecycle':
      return 'lifecycle';
  }
}

/** Whether it is a step of an authorization. */
function isAuth(item: Item, source: RowSource): boolean {
  if (item.kind === 'lifecycle')
    return item.event.kind.startsWith('auth-') || 'chain' in item.event;
  const request = ownRecord(item, source)?.request;
  if (request === undefined) return false;
  return AUTH_PURPOSES.has(request.purpose) || request.links.authChain !== undefined;
}
