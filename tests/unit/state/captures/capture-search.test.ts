import { describe, expect, test, vi } from 'vitest';
import type { CaptureRecord } from '../../../../lib/capture/store/capture-record.ts';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { CaptureRow } from '../../../../lib/state/captures/capture-list.ts';
import { createCaptureSearch } from '../../../../lib/state/captures/capture-search.ts';
import { answerJob, type OpenSearchWorker } from '../../../../lib/state/search/search-regex.ts';
import { LogBuilder } from '../../../support/builders.ts';

function row(captureId: string, rest: Partial<CaptureRow['description']> = {}): CaptureRow {
  const capture: CaptureRecord = {
    captureId,
    name: `Run ${captureId}`,
    startedAt: 1,
    lastSequence: 1,
    eventCount: 1,
    sizeBytes: 1,
  };
  return { capture, description: { captureId, ...rest }, isCurrent: captureId === 'live' };
}

function logOf(words: readonly string[]) {
  const log = new LogBuilder();
  for (const [id, word] of words.entries()) {
    log.answer(log.call(`${id}`, 'tools/call', { name: 'echo', arguments: { word } }), {
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: `said ${word}` }] },
    });
  }
  const correlation = createCorrelation();
  correlation.apply(log.events);
  return correlation;
}

const prompt: OpenSearchWorker = (answered) => ({
  post: (job) => queueMicrotask(() => answerJob(job, answered)),
  end: () => undefined,
});

function start(words: Record<string, readonly string[]>) {
  const reads: string[] = [];
  const shelf = {
    async read({ captureId, name }: CaptureRecord, work: { signal?: AbortSignal }) {
      reads.push(captureId);
      work.signal?.throwIfAborted();
      if (captureId === 'broken') throw new Error('no disk');
      const correlation = logOf(words[captureId] ?? []);
      return { captureId, name, correlation, peek: async () => new Map() };
    },
  };
  return { search: createCaptureSearch(async () => shelf, prompt), reads };
}

async function run(
  { search }: ReturnType<typeof start>,
  rows: readonly CaptureRow[],
  text: string,
  isRegex = false,
) {
  search.query.value = { ...search.query.value, text, isRegex };
  search.run(rows);
  await vi.waitFor(() => expect(search.state.value.kind).not.toBe('running'));
  return search.hits.value;
}

describe('a search through all captures', () => {
  test('finds words and traffic, in the order of the list, and leads to the rows', async () => {
    const started = start({ a: ['needle', 'hay'], b: ['hay'], c: ['a needle and needles'] });
    const rows = [
      row('a'),
      row('b', { note: 'The needle is not here.', tags: ['needlework', 'x'] }),
      row('c'),
    ];
    const hits = await run(started, rows, 'Needle');
    expect(hits.map(({ captureId, words }) => [captureId, words])).toEqual([
      ['a', []],
      ['b', ['note', 'tag needlework']],
      ['c', []],
    ]);
    expect(hits[0]).toMatchObject({ matchCount: 2, omittedRows: 0, gaps: [] });
    expect(hits[0]?.rows).toHaveLength(1);
    expect(hits[0]?.rows[0]).toMatchObject({
      title: 'tools/call echo',
      matchCount: 2,
      place: { tab: 'message', text: { section: 'Request' } },
      match: { part: 'Request' },
    });
    const { text, from, to } = hits[2]!.rows[0]!.match;
    expect(text.slice(from, to)).toBe('needle');
    expect(started.search.state.value).toMatchObject({ kind: 'done', searched: 3, total: 3 });
  });

  test('takes an expression, and says where it is none', async () => {
    const started = start({ a: ['v1', 'v22'] });
    expect((await run(started, [row('a')], 'said v\\d\\d', true))[0]?.matchCount).toBe(1);
    await run(started, [row('a')], '(', true);
    expect(started.search.state.value.problem).toMatch(/^Not a regular expression/);
    expect(started.search.hits.value).toEqual([]);
  });

  test('names a capture that cannot be searched, and searches the others', async () => {
    const started = start({ a: ['needle'] });
    const hits = await run(started, [row('broken'), row('a')], 'needle');
    expect(hits.map(({ captureId }) => captureId)).toEqual(['broken', 'a']);
    expect(hits[0]?.gaps[0]).toMatch(/^It could not be searched\..*no disk/);
  });

  test('lists no more rows than somebody goes through', async () => {
    const started = start({ a: Array.from({ length: 70 }, () => 'needle') });
    const [hit] = await run(started, [row('a')], 'needle');
    expect(hit?.rows).toHaveLength(50);
    expect(hit).toMatchObject({ omittedRows: 20, matchCount: 140 });
  });

  test('searches a body that has not ended as far as it came, and promises no more', async () => {
    const log = new LogBuilder();
    const call = log.call('1', 'tools/call', { name: 'echo' });
    log.head(call);
    log.chunk(call, '{"jsonrpc":"2.0","result":"half a need');
    const correlation = createCorrelation();
    correlation.apply(log.events);
    const shelf = {
      read: async () => ({ captureId: 'a', name: 'a', correlation, peek: async () => new Map() }),
    };
    const started = { search: createCaptureSearch(async () => shelf, prompt), reads: [] };
    const hits = await run(started, [row('a')], 'half a');
    expect(hits[0]).toMatchObject({ matchCount: 1, gaps: [] });
  });

  test('can be stopped, is ended by the next one, and by an empty query', async () => {
    const started = start({ a: ['needle'], b: ['needle'] });
    const { search, reads } = started;
    search.query.value = { ...search.query.value, text: 'needle' };
    search.run([row('a'), row('b')]);
    search.stop();
    expect(search.state.value.kind).toBe('stopped');
    await vi.waitFor(() => expect(reads).toEqual(['a']));
    const hits = await run(started, [row('b')], 'needle');
    expect(hits.map(({ captureId }) => captureId)).toEqual(['b']);
    await run(started, [row('b')], '');
    expect(search.hits.value).toEqual([]);
    expect(search.state.value.kind).toBe('idle');
  });
});
