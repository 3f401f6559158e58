import { alignKeys, type Pair } from './align.ts';
import { isList, isObject, scalarText, type JsonObject, type JsonValue } from './json-value.ts';

/** How one value became another. */
export type JsonDiff =
  | { kind: 'same'; value: JsonValue }
  /** They differ, and nobody wants to know. */
  | { kind: 'ignored'; before: JsonValue; after: JsonValue }
  | { kind: 'changed'; before: JsonValue; after: JsonValue }
  | { kind: 'object'; members: MemberDiff[] }
  | { kind: 'array'; items: ItemDiff[]; isReordered: boolean };

/** A value that only one side has. */
export type OneSided =
  | { kind: 'added'; value: JsonValue; isIgnored: boolean }
  | { kind: 'removed'; value: JsonValue; isIgnored: boolean };

export interface MemberDiff {
  key: string;
  diff: JsonDiff | OneSided;
}

/** Items in the order of the second list, with those that are gone where they were. */
export interface ItemDiff extends Pair {
  diff: JsonDiff | OneSided;
}

export interface DiffOptions {
  /**
   * Whether a value is another one every time, as ids and times are; `key` is the name that it has, or that the
   * list it is in has. Such values make no difference.
   */
  isVolatile?(key: string, value: JsonValue): boolean;
}

/** What tells the items of a list apart, in this order of preference. */
const IDENTITIES = ['name', 'uri', 'uriTemplate', 'id', 'key'];

/** Compares two JSON values by structure: the order of names does not matter, that of items does. */
export function diffJson(
  before: JsonValue,
  after: JsonValue,
  { isVolatile = () => false }: DiffOptions = {},
): JsonDiff {
  const texts = new WeakMap<object, string>();

  /** Equal for equal values, whatever is volatile in them. */
  function textOf(key: string, value: JsonValue): string {
    if (isVolatile(key, value)) return '~';
    if (typeof value !== 'object' || value === null) return scalarText(value);
    const known = texts.get(value);
    if (known !== undefined) return known;
    const text = isList(value)
      ? `[${value.map((item) => textOf(key, item)).join()}]`
      : `{${Object.entries(value)
          .map(([name, member]) => `${JSON.stringify(name)}:${textOf(name, member)}`)
          .toSorted()
          .join()}}`;
    texts.set(value, text);
    return text;
  }

  function compare(key: string, one: JsonValue, other: JsonValue): JsonDiff {
    if (isList(one) && isList(other)) return compareLists(key, one, other);
    if (isObject(one) && isObject(other)) return compareObjects(one, other);
    if (one === other) return { kind: 'same', value: one };
    const isIgnored = isVolatile(key, one) && isVolatile(key, other);
    return { kind: isIgnored ? 'ignored' : 'changed', before: one, after: other };
  }

  function compareObjects(one: JsonObject, other: JsonObject): JsonDiff {
    const members: MemberDiff[] = [];
    for (const [key, value] of Object.entries(one)) {
      const kept = Object.hasOwn(other, key) ? other[key] : undefined;
      members.push({
        key,
        diff: kept === undefined ? removed(key, value) : compare(key, value, kept),
      });
    }
    for (const [key, value] of Object.entries(other)) {
      if (!Object.hasOwn(one, key)) members.push({ key, diff: added(key, value) });
    }
    const isSame = members.every(({ diff }) => diff.kind === 'same');
    return isSame ? { kind: 'same', value: one } : { kind: 'object', members };
  }

  function compareLists(
    key: string,
    one: readonly JsonValue[],
    other: readonly JsonValue[],
  ): JsonDiff {
    const pairs = pairByIdentity(one, other, isVolatile) ?? pairByText(key, one, other);
    let last = -1;
    let isReordered = false;
    const items = pairs.map((pair): ItemDiff => {
      const [was, is] = [one[pair.before ?? -1], other[pair.after ?? -1]];
      if (was === undefined) return { ...pair, diff: added(key, is ?? null) };
      if (is === undefined) return { ...pair, diff: removed(key, was) };
      const from = pair.before ?? 0;
      if (from < last) isReordered = true;
      last = Math.max(last, from);
      return { ...pair, diff: compare(key, was, is) };
    });
    const isSame = !isReordered && items.every(({ diff }) => diff.kind === 'same');
    return isSame ? { kind: 'same', value: one } : { kind: 'array', items, isReordered };
  }

  function pairByText(key: string, one: readonly JsonValue[], other: readonly JsonValue[]): Pair[] {
    const aligned = alignKeys(
      one.map((item) => textOf(key, item)),
      other.map((item) => textOf(key, item)),
    );
    return pairUp(aligned, one, other);
  }

  function added(key: string, value: JsonValue): OneSided {
    return { kind: 'added', value, isIgnored: isVolatile(key, value) };
  }

  function removed(key: string, value: JsonValue): OneSided {
    return { kind: 'removed', value, isIgnored: isVolatile(key, value) };
  }

  return compare('', before, after);
}

/** Between two items that match, what is gone and what is new may be the same things, changed. */
function pairUp(
  aligned: readonly Pair[],
  one: readonly JsonValue[],
  other: readonly JsonValue[],
): Pair[] {
  const pairs: Pair[] = [];
  let gone: number[] = [];
  let fresh: number[] = [];
  function close(): void {
    const count = Math.min(gone.length, fresh.length);
    for (let index = 0; index < count; index += 1) {
      const [before = 0, after = 0] = [gone[index], fresh[index]];
      if (kindOf(one[before]) === kindOf(other[after])) pairs.push({ before, after });
      else pairs.push({ before }, { after });
    }
    for (const before of gone.slice(count)) pairs.push({ before });
    for (const after of fresh.slice(count)) pairs.push({ after });
    [gone, fresh] = [[], []];
  }
  for (const pair of aligned) {
    const { before, after } = pair;
    if (before !== undefined && after !== undefined) {
      close();
      pairs.push(pair);
    } else if (before !== undefined) gone.push(before);
    else if (after !== undefined) fresh.push(after);
  }
  close();
  return pairs;
}

function kindOf(value: JsonValue | undefined): string {
  if (isList(value)) return 'list';
  return isObject(value) ? 'object' : 'scalar';
}

/** Items that carry a name of their own are the same wherever they stand. */
function pairByIdentity(
  one: readonly JsonValue[],
  other: readonly JsonValue[],
  isVolatile: (key: string, value: JsonValue) => boolean,
): Pair[] | undefined {
  for (const name of IDENTITIES) {
    // What is another one every time tells nothing apart.
    if (isVolatile(name, 1)) continue;
    const [was, is] = [identitiesOf(one, name), identitiesOf(other, name)];
    if (was === undefined || is === undefined) continue;
    const pairs: Pair[] = [];
    let next = 0;
    for (const [identity, after] of is) {
      const before = was.get(identity);
      if (before === undefined) {
        pairs.push({ after });
        continue;
      }
      for (; next < before; next += 1) if (isGone(next)) pairs.push({ before: next });
      pairs.push({ before, after });
    }
    for (; next < one.length; next += 1) if (isGone(next)) pairs.push({ before: next });
    return pairs;

    function isGone(index: number): boolean {
      const item = one[index];
      return isObject(item) && !is?.has(scalarText(item[name] ?? null));
    }
  }
  return undefined;
}

/** Places by identity; undefined unless every item has one that no other has. */
function identitiesOf(
  items: readonly JsonValue[],
  name: string,
): ReadonlyMap<string, number> | undefined {
  if (items.length === 0) return undefined;
  const places = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const identity = isObject(item) && Object.hasOwn(item, name) ? item[name] : undefined;
    if (typeof identity !== 'string' && typeof identity !== 'number') return undefined;
    const text = scalarText(identity);
    if (places.has(text)) return undefined;
    places.set(text, index);
  }
  return places;
}

/** How much two values differ: not at all, only in what is another one every time, or in what counts. */
export function weighDiff(diff: JsonDiff | OneSided): 'same' | 'volatile' | 'different' {
  switch (diff.kind) {
    case 'same':
      return 'same';
    case 'ignored':
      return 'volatile';
    case 'changed':
      return 'different';
    case 'added':
    case 'removed':
      return diff.isIgnored ? 'volatile' : 'different';
    case 'object':
      return heaviest(diff.members);
    case 'array':
      return diff.isReordered ? 'different' : heaviest(diff.items);
  }
}

function heaviest(parts: readonly { diff: JsonDiff | OneSided }[]) {
  let weight: ReturnType<typeof weighDiff> = 'same';
  for (const { diff } of parts) {
    const own = weighDiff(diff);
    if (own === 'different') return own;
    if (own === 'volatile') weight = own;
  }
  return weight;
}

/** The second value, made from the first one and the differences. */
export function applyDiff(before: JsonValue, diff: JsonDiff | OneSided): JsonValue | undefined {
  switch (diff.kind) {
    case 'same':
      return before;
    case 'added':
      return diff.value;
    case 'removed':
      return undefined;
    case 'ignored':
    case 'changed':
      return diff.after;
    case 'object': {
      const from = isObject(before) ? before : {};
      const members = diff.members.map(
        ({ key, diff: part }) => [key, applyDiff(from[key] ?? null, part)] as const,
      );
      return Object.fromEntries(
        members.filter((member): member is [string, JsonValue] => member[1] !== undefined),
      );
    }
    case 'array': {
      const from = isList(before) ? before : [];
      return diff.items
        .map(({ before: at = -1, diff: part }) => applyDiff(from[at] ?? null, part))
        .filter((item) => item !== undefined);
    }
  }
}
