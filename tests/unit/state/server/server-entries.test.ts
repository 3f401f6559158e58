import { expect, test } from 'vitest';
import { readPage } from '../../../../lib/state/server/server-entries.ts';

const DEEP = `${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;

test('A tool whose schema is nested too deep is listed with that as its fault, and its text', () => {
  const tools = `[{"name":"deep","inputSchema":${DEEP}},{"name":"good","inputSchema":{"type":"object"}}]`;
  const { entries } = readPage(
    'tools',
    `{"jsonrpc":"2.0","id":1,"result":{"tools":${tools}}}`,
    true,
  );
  expect(entries.map(({ name, faults }) => [name, faults])).toEqual([
    ['deep', ['it is nested in more than 500 levels']],
    ['good', []],
  ]);
  expect(entries[0]!.value).toEqual({ name: 'deep' });
  expect(entries[0]!.source).toContain(DEEP);
});
