import { isVolatileHeader } from './volatile.ts';

/** A header as it is shown: secrets stand as their fingerprints. */
export interface ShownHeader {
  name: string;
  value: string;
}

export interface HeaderDiff {
  name: string;
  kind: 'same' | 'ignored' | 'changed' | 'added' | 'removed';
  /** All values of the name, in order. */
  before: string[];
  after: string[];
}

/** Compares headers by their names in any case, in the order of the first list, and then of the second. */
export function diffHeaders(
  before: readonly ShownHeader[],
  after: readonly ShownHeader[],
): HeaderDiff[] {
  const was = Map.groupBy(before, nameOf);
  const is = Map.groupBy(after, nameOf);
  return [...new Set([...was.keys(), ...is.keys()])].map((key) => {
    const [one = [], other = []] = [was.get(key), is.get(key)];
    const values = { before: one.map(valueOf), after: other.map(valueOf) };
    const name = (one[0] ?? other[0])?.name ?? key;
    return { name, kind: kindOf(key, values), ...values };
  });
}

function nameOf({ name }: ShownHeader): string {
  return name.toLowerCase();
}

function valueOf({ value }: ShownHeader): string {
  return value;
}

function kindOf(key: string, { before, after }: Pick<HeaderDiff, 'before' | 'after'>) {
  if (before.length === after.length && before.every((value, at) => value === after[at])) {
    return 'same';
  }
  if (isVolatileHeader(key)) return 'ignored';
  if (before.length === 0) return 'added';
  return after.length === 0 ? 'removed' : 'changed';
}
