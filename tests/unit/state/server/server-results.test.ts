import { expect, test } from 'vitest';
import type { Entry } from '../../../../lib/state/server/server-entries.ts';
import { annotationWords } from '../../../../lib/state/server/server-annotations.ts';
import { checkOutput } from '../../../../lib/state/server/server-output.ts';
import { readResult } from '../../../../lib/state/server/server-results.ts';

function resultOf(result: unknown) {
  const read = readResult(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  if (read.kind !== 'result') throw new Error(`It is ${read.kind}.`);
  return read;
}

function entry(value: Record<string, unknown>): Entry {
  return {
    kind: 'tools',
    key: 'it 0',
    name: 'it',
    source: JSON.stringify(value),
    sizeBytes: 1,
    value,
    faults: [],
    isDuplicate: false,
  };
}

test('content is told apart by its kind, and what has no kind is shown as it is', () => {
  const { blocks } = resultOf({
    content: [
      { type: 'text', text: 'hi', annotations: { audience: ['user'], priority: 1 } },
      { type: 'image', data: 'QUJD', mimeType: 'image/png' },
      { type: 'audio', data: 'QUJD', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'a:b', name: 'B', title: 'The B', mimeType: 'text/plain' },
      { type: 'resource', resource: { uri: 'a:c', text: 'C', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'a:d', blob: 'QUJD' } },
      { type: 'image' },
      { type: 'hologram', data: 1 },
      7,
    ],
  });
  expect(blocks).toEqual([
    { kind: 'text', text: 'hi', about: 'audience ["user"], priority 1' },
    { kind: 'media', base64: 'QUJD', mimeType: 'image/png', about: '' },
    { kind: 'media', base64: 'QUJD', mimeType: 'audio/wav', about: '' },
    {
      kind: 'link',
      uri: 'a:b',
      name: 'The B',
      description: '',
      mimeType: 'text/plain',
      about: '',
    },
    { kind: 'text', text: 'C', about: 'a:c · text/plain' },
    { kind: 'media', base64: 'QUJD', mimeType: '', about: 'a:d' },
    { kind: 'unknown', source: '{"type":"image"}', about: '' },
    { kind: 'unknown', source: '{"type":"hologram","data":1}', about: '' },
    { kind: 'unknown', source: '7', about: '' },
  ]);
});

test('contents of a resource and messages of a prompt are content too', () => {
  expect(resultOf({ contents: [{ uri: 'a:b', text: 'B' }, { uri: 'a:c' }] }).blocks).toEqual([
    { kind: 'text', text: 'B', about: 'a:b' },
    { kind: 'unknown', source: '{"uri":"a:c"}', about: 'a:c' },
  ]);
  const messages = [
    { role: 'user', content: { type: 'text', text: 'Hi' } },
    { role: 'assistant', content: [{ type: 'text', text: 'Ho' }] },
  ];
  expect(resultOf({ description: 'A greeting', messages })).toMatchObject({
    description: 'A greeting',
    blocks: [
      { text: 'Hi', about: 'user' },
      { text: 'Ho', about: 'assistant' },
    ],
  });
});

test('structured content keeps its digits; a task and a failure are named', () => {
  const text =
    '{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"id":9007199254740993},"isError":true}}';
  expect(readResult(text)).toMatchObject({ structured: '{"id":9007199254740993}', isError: true });
  expect(resultOf({ task: { taskId: 't1', status: 'working' } }).task).toBe('t1, working');
  expect(resultOf({ resultType: 'task', taskId: 't2', status: 'working' }).task).toBe(
    't2, working',
  );
});

test.each([
  ['no JSON', /^Not JSON at 1:/],
  ['{"jsonrpc":"2.0","id":1}', /neither a result nor an error/],
])('%s is not readable, and says why', (text, reason) => {
  expect(readResult(text)).toEqual({ kind: 'unreadable', reason: expect.stringMatching(reason) });
});

test('an error keeps its code, its words and its data', () => {
  const error = { code: -32602, message: 'Unknown tool', data: { tool: 'x' } };
  expect(readResult(JSON.stringify({ jsonrpc: '2.0', id: 1, error }))).toEqual({
    kind: 'error',
    code: '-32602',
    message: 'Unknown tool',
    data: '{"tool":"x"}',
  });
});

const TYPED = entry({
  outputSchema: { type: 'object', properties: { t: { type: 'number' } }, required: ['t'] },
});

test.each([
  [{ structuredContent: { t: 1 } }, ['The structured content fits the outputSchema.']],
  [{ structuredContent: { t: 'x' } }, ['t is a string, where a number is asked for.']],
  [{ structuredContent: {} }, ['t is required.']],
  [{ content: [] }, ['The tool has an outputSchema, but its result has no structuredContent.']],
  [{ content: [], isError: true }, []],
])('the output %j is checked against the schema', (result, words) => {
  expect(checkOutput(TYPED, resultOf(result)).map((line) => line.words)).toEqual(words);
});

test('hints are said in words, also what their absence means', () => {
  expect(annotationWords(entry({}))).toEqual([
    'may change things (not said) · may destroy (not said) · is not to be repeated (not said) · reaches outside (not said)',
  ]);
  expect(
    annotationWords(entry({ annotations: { readOnlyHint: true, openWorldHint: false } })),
  ).toEqual(['only reads · stays inside']);
});
