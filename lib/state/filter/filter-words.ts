import type { TypeChip } from './filter-types.ts';
import type { TrafficView } from '../view/traffic-view.ts';

/** What the chips say. */
export const TYPE_TITLES: Record<TypeChip, string> = {
  requests: 'Requests',
  notifications: 'Notifications',
  'server-requests': 'Server requests',
  streams: 'Streams',
  http: 'HTTP',
  auth: 'Auth',
  issues: 'Issues',
  lifecycle: 'Lifecycle',
};

type Counted = Pick<TrafficView, 'total' | 'filteredOut'>;

/** How many of the rows are left: `214 of 1,032`. */
export function toShownWords({ total, filteredOut }: Counted): string {
  const shown = total.value - filteredOut.value;
  return `${shown.toLocaleString('en')} of ${total.value.toLocaleString('en')}`;
}

/** What hides all rows, where nothing is left: `the filter “x”, the types Streams and Auth, the time range`. */
export function toHidingWords({ filter, range }: Pick<TrafficView, 'filter' | 'range'>): string {
  const text = filter.text.value.trim();
  const types = [...filter.types.value].map((chip) => TYPE_TITLES[chip]);
  const inverted = filter.isInverted.value ? 'the inverted filter' : 'the filter';
  const parts = [
    text === '' ? '' : `${inverted} ${text}`,
    types.length === 0 ? '' : `the ${types.length === 1 ? 'type' : 'types'} ${types.join(', ')}`,
    range.value === undefined ? '' : 'the time range',
  ].filter((part) => part !== '');
  return parts.length === 1 ? (parts[0] ?? '') : parts.join(' and ');
}
