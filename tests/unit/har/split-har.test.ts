import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHarSplitter } from '../../../lib/har/read/split-har.ts';

const utf8 = new TextEncoder();

function split(bytes: Uint8Array, chunkSizes: readonly number[] = []) {
  const entries: string[] = [];
  const events: string[] = [];
  const splitter = createHarSplitter({
    entry: (text) => void entries.push(text),
    event: (text) => void events.push(text),
  });
  let at = 0;
  for (const size of chunkSizes) {
    splitter.push(bytes.subarray(at, at + size));
    at += size;
  }
  splitter.push(bytes.subarray(at));
  return { entries, events, ...splitter.end() };
}

describe('createHarSplitter', () => {
  test('hands out entries and events, and keeps what is around them', () => {
    const file = {
      log: { version: '1.2', _mcp: { events: [{ a: 1 }, 2], b: [3] }, entries: [{ c: [4] }, null] },
    };
    const found = split(utf8.encode(JSON.stringify(file, undefined, 2)));
    expect(found.entries.map((text) => JSON.parse(text) as unknown)).toEqual(file.log.entries);
    expect(found.events.map((text) => JSON.parse(text) as unknown)).toEqual(file.log._mcp.events);
    expect(JSON.parse(found.shell)).toEqual({
      log: { version: '1.2', _mcp: { events: [], b: [3] }, entries: [] },
    });
    expect(found.isCut).toBe(false);
  });

  test('gives the same for any JSON and any chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.jsonValue(),
        fc.array(fc.integer({ min: 0, max: 9 })),
        (entries, events, rest, chunkSizes) => {
          const file = { a: rest, log: { _mcp: { events, rest }, entries, rest }, entries: rest };
          const found = split(utf8.encode(JSON.stringify(file)), chunkSizes);
          expect(found.entries).toEqual(entries.map((entry) => JSON.stringify(entry)));
          expect(found.events).toEqual(events.map((event) => JSON.stringify(event)));
          const empty = { ...file, log: { _mcp: { events: [], rest }, entries: [], rest } };
          expect(found.shell).toBe(JSON.stringify(empty));
        },
      ),
    );
  });

  test('keeps the entries of a file that is cut off anywhere', () => {
    const entries = [{ a: 'one "quoted"' }, { b: [1, 2] }, { c: '{[' }];
    const text = JSON.stringify({ log: { version: '1.2', entries } });
    for (let length = 1; length < text.length; length += 1) {
      const found = split(utf8.encode(text.slice(0, length)));
      expect(found.isCut).toBe(true);
      expect(entries.map((entry) => JSON.stringify(entry)).slice(0, found.entries.length)).toEqual(
        found.entries,
      );
      if (found.entries.length === 0) continue;
      expect(JSON.parse(found.shell)).toEqual({ log: { version: '1.2', entries: [] } });
    }
  });
});
