import { diffJson, weighDiff, type JsonDiff } from './json-diff.ts';
import type { JsonObject } from './json-value.ts';

/** Something that a server offers: a tool, a prompt, a resource or a template of resources. */
export interface Definition {
  /** `tool`, `prompt`, `resource` or `template`. */
  what: string;
  name: string;
  value: JsonObject;
}

export interface DefinitionDiff {
  what: string;
  name: string;
  kind: 'same' | 'changed' | 'added' | 'removed';
  before?: JsonObject;
  after?: JsonObject;
  /** Where it is on both sides. */
  diff?: JsonDiff;
  /** Names of its members that differ. */
  parts: string[];
}

/** Compares what two servers, or one at two times, offer: by name, in any order. */
export function diffDefinitions(
  before: readonly Definition[],
  after: readonly Definition[],
): DefinitionDiff[] {
  const was = new Map(before.map((each) => [keyOf(each), each]));
  const is = new Map(after.map((each) => [keyOf(each), each]));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key): DefinitionDiff[] => {
    const [one, other] = [was.get(key), is.get(key)];
    const { what, name } = one ?? other ?? { what: '', name: '' };
    if (one === undefined) {
      return other === undefined
        ? []
        : [{ what, name, kind: 'added', after: other.value, parts: [] }];
    }
    if (other === undefined) return [{ what, name, kind: 'removed', before: one.value, parts: [] }];
    const diff = diffJson(one.value, other.value);
    const kind = weighDiff(diff) === 'same' ? 'same' : 'changed';
    const sides = { before: one.value, after: other.value };
    return [{ what, name, kind, ...sides, diff, parts: partsOf(diff) }];
  });
}

function keyOf({ what, name }: Definition): string {
  return `${what} ${name}`;
}

function partsOf(diff: JsonDiff): string[] {
  if (diff.kind !== 'object') return [];
  return diff.members.filter((member) => weighDiff(member.diff) !== 'same').map(({ key }) => key);
}
