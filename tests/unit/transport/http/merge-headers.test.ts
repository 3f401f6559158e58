import { describe, expect, test } from 'vitest';
import type { Header } from '../../../../lib/capture/store/stored-text.ts';
import { mergeHeaders } from '../../../../lib/transport/http/merge-headers.ts';

const list = (...pairs: [string, string][]): Header[] =>
  pairs.map(([name, value]) => ({ name, value }));

const OWN = list(
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
);
const accept = (given: string) =>
  mergeHeaders(OWN, list(['accept', given])).find((header) => header.name === 'accept')?.value;

describe('the headers of a profile', () => {
  test('come behind ours, in their own order and case', () => {
    expect(mergeHeaders(OWN, list(['X-b', '1'], ['x-A', '2']))).toEqual([
      ...OWN,
      ...list(['X-b', '1'], ['x-A', '2']),
    ]);
  });

  test('win over ours, in their place', () => {
    expect(mergeHeaders(OWN, list(['content-type', 'text/x']))).toEqual([
      { name: 'content-type', value: 'text/x' },
      OWN[1],
    ]);
  });

  test('may have a name twice, as HTTP allows', () => {
    const twice = list(['X-Tag', 'a'], ['x-tag', 'b']);
    expect(mergeHeaders(OWN, twice)).toEqual([...OWN, ...twice]);
  });

  test('leave both lists as they were', () => {
    const own = structuredClone(OWN);
    mergeHeaders(own, list(['Accept', 'x/y'], ['X', '1']));
    expect(own).toEqual(OWN);
  });
});

describe('`Accept` of a profile', () => {
  test.each([
    ['*/*', '*/*, application/json, text/event-stream'],
    ['application/json', 'application/json, text/event-stream'],
    ['text/event-stream, application/json', 'text/event-stream, application/json'],
    ['Application/JSON;q=0.9', 'Application/JSON;q=0.9, text/event-stream'],
    ['application/json-seq', 'application/json-seq, application/json, text/event-stream'],
    ['', 'application/json, text/event-stream'],
  ])('%j keeps what the transport needs', (given, sent) => {
    expect(accept(given)).toBe(sent);
  });
});
