import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  nodeAtPath,
  withMovedItem,
  withoutValue,
  withValue,
  type JsonPath,
} from '../../../lib/json/edit.ts';
import { parseJson, sourceText } from '../../../lib/json/parse.ts';

function sourceAt(text: string, path: JsonPath): string | undefined {
  const parsed = parseJson(text);
  const node = parsed.ok ? nodeAtPath(parsed.root, path) : undefined;
  return node && sourceText(text, node);
}

const ODD = '{ "big" : 9007199254740993,\n\t"list":[ 1.0 , -0, 1e400 ], "b": {"x" :1} }';

test('a replaced value leaves every other character where it was', () => {
  expect(withValue(ODD, ['b', 'x'], '2')).toBe(ODD.replace('"x" :1', '"x" :2'));
  expect(withValue(ODD, ['list', 1], 'null')).toBe(ODD.replace('-0', 'null'));
});

test('a new member comes last, and the others keep their digits', () => {
  const text = withValue(ODD, ['new'], '"v"');
  expect(sourceAt(text, ['new'])).toBe('"v"');
  expect(sourceAt(text, ['big'])).toBe('9007199254740993');
  expect(sourceAt(text, ['list'])).toBe('[ 1.0 , -0, 1e400 ]');
});

test('an item is appended, moved and removed', () => {
  let text = withValue('{"l":[1, 2]}', ['l', 2], '3');
  expect(JSON.parse(text)).toEqual({ l: [1, 2, 3] });
  text = withMovedItem(text, ['l'], 0, 2);
  expect(JSON.parse(text)).toEqual({ l: [2, 3, 1] });
  text = withoutValue(text, ['l', 1]);
  expect(JSON.parse(text)).toEqual({ l: [2, 1] });
  expect(withoutValue('{"l":[1]}', ['l'])).toBe('{}');
});

test('a path that leads nowhere changes nothing', () => {
  expect(withValue(ODD, ['list', 7], '1')).toBe(ODD);
  expect(withValue(ODD, ['none', 'x'], '1')).toBe(ODD);
  expect(withoutValue(ODD, ['none'])).toBe(ODD);
  expect(withMovedItem(ODD, ['b'], 0, 1)).toBe(ODD);
  expect(withValue('no JSON', ['a'], '1')).toBe('no JSON');
});

test('of duplicate names all are removed', () => {
  expect(withoutValue('{"a":1,"a":2,"b":3}', ['a'])).toBe('{\n  "b": 3\n}');
});

/** Every path in a value. */
function pathsOf(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value)
    ? value.flatMap((item: unknown, at) => pathsOf(item, [...path, at]))
    : Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]));
  return [path, ...inner];
}

function isPrefix(path: JsonPath, other: JsonPath): boolean {
  return path.every((step, index) => other[index] === step);
}

test('whatever is set at whatever place can be read there, and nothing else has changed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), fc.jsonValue(), fc.nat(3), (value, at, next, indent) => {
      // Without prototypes: `__proto__` is a name like any other.
      const text = JSON.stringify(value, undefined, indent);
      const paths = pathsOf(JSON.parse(text));
      const path = paths[at % paths.length] ?? [];
      const json = JSON.stringify(next);
      const edited = withValue(text, path, json);
      expect(sourceAt(edited, path)).toBe(json);
      const unrelated = paths.filter((other) => !isPrefix(path, other) && !isPrefix(other, path));
      for (const other of unrelated) expect(sourceAt(edited, other)).toBe(sourceAt(text, other));
    }),
  );
});

test('a member that is added and removed again leaves the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (value, name) => {
      fc.pre(!Object.hasOwn(value, name));
      const text = JSON.stringify(value);
      const added = withValue(text, [name], '{"x":[1]}');
      expect(sourceAt(added, [name, 'x', 0])).toBe('1');
      expect(JSON.parse(withoutValue(added, [name]))).toEqual(JSON.parse(text));
    }),
  );
});
