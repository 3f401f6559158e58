import type { JsonPath } from '../../json/edit.ts';

/** The path of a part as the key of a map; equal paths give equal keys. */
export function toKey(path: JsonPath): string {
  return JSON.stringify(path);
}

/** The key of a part after items of the list at `path` have moved; undefined where it is gone. */
export function movedKey(
  key: string,
  path: JsonPath,
  placeOf: (index: number) => number | undefined,
): string | undefined {
  const end = key.lastIndexOf(']') + 1;
  const steps = JSON.parse(key.slice(0, end)) as (string | number)[];
  const step = steps[path.length];
  const isInside = path.every((each, at) => steps[at] === each) && typeof step === 'number';
  if (!isInside) return key;
  const place = placeOf(step);
  if (place === undefined) return undefined;
  return `${JSON.stringify([...path, place, ...steps.slice(path.length + 1)])}${key.slice(end)}`;
}

/** Whether a key is that of a part at or below a path. */
export function isKeyWithin(key: string, path: JsonPath): boolean {
  if (path.length === 0) return true;
  const prefix = toKey(path).slice(0, -1);
  // A number may begin like another one.
  return key.startsWith(prefix) && /[,\]]/.test(key[prefix.length] ?? '');
}
