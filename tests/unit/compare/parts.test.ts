import { describe, expect, test } from 'vitest';
import { diffDefinitions, type Definition } from '../../../lib/compare/definition-diff.ts';
import { diffHeaders } from '../../../lib/compare/header-diff.ts';
import { isVolatileValue } from '../../../lib/compare/volatile.ts';

describe('headers', () => {
  test('are matched by name in any case, with all values of a name', () => {
    const header = (name: string, value: string) => ({ name, value });
    const before = [
      header('Content-Type', 'application/json'),
      header('Date', 'Mon'),
      header('Via', 'a'),
      header('Via', 'b'),
      header('X-Old', '1'),
    ];
    const after = [
      header('content-type', 'text/event-stream'),
      header('date', 'Tue'),
      header('via', 'a'),
      header('via', 'b'),
      header('x-new', '2'),
    ];
    expect(diffHeaders(before, after).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'Content-Type changed',
      'Date ignored',
      'Via same',
      'X-Old removed',
      'x-new added',
    ]);
    expect(diffHeaders(before, before).every(({ kind }) => kind === 'same')).toBe(true);
  });
});

describe('definitions', () => {
  const tool = (name: string, rest: object = {}): Definition => ({
    what: 'tool',
    name,
    value: { name, description: 'Does it', ...rest },
  });

  test('are added, removed, and changed in parts that are named', () => {
    const before = [tool('a'), tool('b'), tool('gone')];
    const after = [
      tool('new'),
      tool('b', { inputSchema: { type: 'object' }, description: 'Does more' }),
      tool('a'),
    ];
    const found = diffDefinitions(before, after);
    expect(found.map(({ name, kind, parts }) => [name, kind, parts])).toEqual([
      ['a', 'same', []],
      ['b', 'changed', ['description', 'inputSchema']],
      ['gone', 'removed', []],
      ['new', 'added', []],
    ]);
  });

  test('of another kind with the same name are not the same', () => {
    const prompt: Definition = { what: 'prompt', name: 'a', value: { name: 'a' } };
    expect(diffDefinitions([tool('a')], [prompt]).map(({ kind }) => kind)).toEqual([
      'removed',
      'added',
    ]);
  });
});

test.each([
  ['id', 7, true],
  ['progressToken', 'x', true],
  ['io.modelcontextprotocol/subscriptionId', '1', true],
  ['createdAt', 'yesterday', true],
  ['elapsedMs', 12, true],
  ['anything', '2026-11-30T18:00:00.123Z', true],
  ['anything', '8f14e45f-ceea-4a7a-9c6d-1b2f3a4b5c6d', true],
  ['name', 'echo', false],
  ['items', 3, false],
  ['id', null, false],
  ['format', 'json', false],
  ['what', '2026', false],
])('%s with the value %j is volatile: %s', (key, value, expected) => {
  expect(isVolatileValue(key, value)).toBe(expected);
});
