import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import type { StoredBytes } from '../../../../lib/capture/store/stored-text.ts';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import type { PeekBytes } from '../../../../lib/state/search/search-bytes.ts';
import { answerJob, createRegexMatcher } from '../../../../lib/state/search/search-regex.ts';
import type { OpenSearchWorker } from '../../../../lib/state/search/search-regex.ts';
import { createSearch } from '../../../../lib/state/search/search.ts';
import type { SearchQuery } from '../../../../lib/state/search/search-pattern.ts';
import type { Search } from '../../../../lib/state/search/search.ts';
import { LogBuilder } from '../../../support/builders.ts';

/** A thread that is none. It says nothing about texts that contain `stuck`. */
const openWorker: OpenSearchWorker = (answered) => ({
  post(job) {
    const isStuck = job.texts.some((text) => text.includes('stuck'));
    queueMicrotask(() => (isStuck ? answered({ id: job.id }) : answerJob(job, answered)));
  },
  end: () => undefined,
});

function setUp(events: readonly WireEvent[], isShown: (item: Item) => boolean = () => true) {
  const correlation = createCorrelation();
  correlation.apply(events);
  const stored = new Map<number, StoredBytes>();
  const peek = vi.fn<PeekBytes>(async (wanted) => {
    const found = wanted.flatMap(({ sequence }) => {
      const data = stored.get(sequence);
      return data === undefined ? [] : [[sequence, data] as const];
    });
    return new Map(found);
  });
  const search = createSearch({
    log: correlation,
    isShown,
    openWorker,
    peek,
    patience: { startMs: 5000, jobMs: 20, textMs: 20 },
  });
  onTestFinished(() => search.close());
  return { correlation, search, stored, peek };
}

async function run(search: Search, query: Partial<SearchQuery>): Promise<string[]> {
  search.query.value = { ...search.query.value, ...query };
  search.run();
  await done(search);
  return found(search);
}

async function done(search: Search): Promise<void> {
  await vi.waitFor(() => expect(search.progress.value.kind).not.toBe('running'), 5000);
}

/** `row: part: line with the [match]`, for all of them. */
function found(search: Search): string[] {
  return search.groups.value.flatMap(({ item, matches }) =>
    matches.map(({ part, text, from, to }) => {
      const name = 'method' in item ? item.method : item.kind;
      const line = `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
      return `${name}: ${part}: ${line}`;
    }),
  );
}

function everythingLog(): LogBuilder {
  const log = new LogBuilder();
  log.opened();
  const call = log.call('1', 'tools/call', { name: 'echo', needle: 'in the request' });
  log.add({
    kind: 'http-sent',
    httpId: call,
    headers: [{ name: 'X-Needle', value: 'asked' }],
    added: [],
  });
  log.head(call, 200, 'text/event-stream');
  log.sse(call, ': needle in a comment\n');
  log.sse(call, 'event: needle\ndata: a needle of its own kind\n\n');
  log.message(
    call,
    { jsonrpc: '2.0', method: 'notifications/message', params: 'needle' },
    'needle-7',
  );
  log.message(call, { jsonrpc: '2.0', id: 1, result: { text: 'the needle' } });
  log.sse(call, 'data: needle that is cut o');
  log.end(call);
  const wrong = log.call('2', 'tools/list', undefined, {
    url: 'http://127.0.0.1/needle',
    headers: [{ name: 'x-needle', value: 'asked' }],
  });
  log.answer(wrong, '<b>a needle in a page</b>', 500, 'text/html');
  log.add({ kind: 'session-ended', cause: 'the needle went away' });
  log.add({
    kind: 'socket-opening',
    socketId: 's1',
    url: { text: 'ws://127.0.0.1/needle' },
    subprotocols: ['mcp'],
  });
  const frame = '{"jsonrpc":"2.0","id":3,"method":"ping","params":{"needle":1}}';
  for (const data of [frame, 'needle, not JSON']) {
    log.add({
      kind: 'socket-frame',
      socketId: 's1',
      direction: 'outgoing',
      opcode: 'text',
      data: { bytes: Buffer.from(data) },
    });
  }
  return log;
}

test('every text of the log is found once, in the row that shows it', async () => {
  const { search } = setUp(everythingLog().events);
  expect(await run(search, { text: 'needle' })).toEqual([
    'tools/call: Request: ":"tools/call","params":{"name":"echo","[needle]":"in the request"}}',
    'tools/call: Response: rpc":"2.0","id":1,"result":{"text":"the [needle]"}}',
    'tools/call: Request header: X-[Needle]: asked',
    'tools/call: Comment: : [needle] in a comment',
    'tools/call: Event type: [needle]',
    'tools/call: Event: a [needle] of its own kind',
    'tools/call: Event id: [needle]-7',
    'tools/call: Cut off: data: [needle] that is cut o',
    'notifications/message: Notification: thod":"notifications/message","params":"[needle]"}',
    'tools/list: Error: roxy before it. Its log says more. <b>a [needle] in a page</b>',
    'tools/list: URL: http://127.0.0.1/[needle]',
    'tools/list: Request header: x-[needle]: asked',
    'tools/list: Response: <b>a [needle] in a page</b>',
    'lifecycle: Lifecycle: Session ended the [needle] went away',
    'socket: URL: ws://127.0.0.1/[needle]',
    'ping: Request: "2.0","id":3,"method":"ping","params":{"[needle]":1}}',
    'stray: Message: [needle], not JSON',
  ]);
  expect(search.progress.value).toMatchObject({ kind: 'done', matchCount: 17, gaps: [] });
});

test('a match knows the tab that shows it, and the event', async () => {
  const log = everythingLog();
  const { search } = setUp(log.events);
  await run(search, { text: 'needle in a comment' });
  const comment = log.events.find(({ kind }) => kind === 'sse-comment')?.sequence;
  expect(search.groups.value[0]?.matches[0]).toMatchObject({
    tab: 'stream',
    eventSequence: comment,
  });
  await run(search, { text: 'x-needle', isCaseSensitive: true });
  expect(search.groups.value[0]?.matches[0]).toMatchObject({ tab: 'headers' });
  await run(search, { text: 'the needle"' });
  const { tab, section } = search.groups.value[0]!.matches[0]!;
  expect([tab, section]).toEqual(['message', 'Response']);
});

test('a masked secret is never matched, nor is what lies across one', async () => {
  const log = new LogBuilder();
  const cut = (offset: number) => [{ offset, length: 6, secret: 'a91c', from: 0 }];
  log.request('{"jsonrpc":"2.0","id":1,"method":"ping"}', {
    url: 'http://127.0.0.1/mcp',
    headers: [{ name: 'authorization', value: 'Bearer ******', cuts: cut(7) }],
  });
  const body = '{"token":"******","stars":"*"}';
  const httpId = log.call('2');
  log.head(httpId);
  const bytes = Buffer.from(body);
  log.add({ kind: 'http-chunk', httpId, offset: 0, data: { bytes, cuts: cut(10) } });
  log.end(httpId);
  const { search } = setUp(log.events);
  expect(await run(search, { text: '*' })).toEqual([
    'tools/list: Response: {"token":"******","stars":"[*]"}',
  ]);
  expect(await run(search, { text: 'Bearer .*|token.*', isRegex: true })).toEqual([
    'ping: Request header: authorization: [Bearer ]******',
    'tools/list: Response: {"[token":"]******","stars":"*"}',
  ]);
  expect(await run(search, { text: 'oken[^x]+star' })).toEqual([]);
});

test('bytes that are on disk only are read from there, and what is not there is said', async () => {
  const log = new LogBuilder();
  const httpId = log.stream();
  log.message(httpId, { jsonrpc: '2.0', method: 'one', params: 'needle' });
  log.message(httpId, { jsonrpc: '2.0', method: 'two', params: 'needle' });
  const { search, stored, peek, correlation } = setUp(log.events);
  for (const chunk of correlation.https.get(httpId)!.chunks) {
    const { bytes } = chunk.data;
    if (stored.size === 0) stored.set(chunk.sequence, { bytes });
    chunk.data = {
      awayBytes: bytes.length,
      get bytes(): Uint8Array {
        throw new Error('Looking at them would bring them back for good.');
      },
    };
  }
  expect(await run(search, { text: 'needle' })).toEqual([
    'one: Notification: jsonrpc":"2.0","method":"one","params":"[needle]"}',
  ]);
  expect(peek).toHaveBeenCalledTimes(2);
  expect(search.progress.value.gaps).toEqual(['1 text could not be read from disk.']);
});

test('a body that is still arriving is named, and searched when it has ended', async () => {
  const log = new LogBuilder();
  const httpId = log.call('1');
  log.head(httpId);
  log.chunk(httpId, '{"jsonrpc":"2.0","id":1,"result":{"a":"nee');
  const { search, correlation } = setUp(log.events);
  expect(await run(search, { text: 'needle' })).toEqual([]);
  expect(search.progress.value.gaps[0]).toContain('1 body is still arriving');
  const before = log.events.length;
  log.chunk(httpId, 'dle"}}');
  log.end(httpId);
  search.apply(correlation.apply(log.events.slice(before)));
  await vi.waitFor(() => expect(search.progress.value.matchCount).toBe(1));
  expect(found(search)[0]).toContain('tools/list: Response:');
  expect(search.progress.value.gaps).toEqual([]);
});

test('however a log is cut into batches, the same is found as in all of it', async () => {
  const { events } = everythingLog();
  const { search } = setUp(events);
  const whole = new Set(await run(search, { text: 'needle' }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: events.length - 1 }), { maxLength: 6 }),
      async (places) => {
        const cuts = [...new Set([0, ...places, events.length])].sort((a, b) => a - b);
        const { search, correlation } = setUp([]);
        search.query.value = { ...search.query.value, text: 'needle' };
        search.run();
        for (const [at, from] of cuts.entries()) {
          search.apply(correlation.apply(events.slice(from, cuts[at + 1] ?? events.length)));
          if (from % 2 === 0) await done(search);
        }
        await vi.waitFor(() => expect(search.progress.value.matchCount).toBe(whole.size));
        await done(search);
        expect(new Set(found(search))).toEqual(whole);
      },
    ),
    { numRuns: 15 },
  );
});

test('only rows of the table are searched where that is wanted', async () => {
  const { search } = setUp(everythingLog().events, (item) => item.kind === 'lifecycle');
  search.isShownOnly.value = true;
  expect(await run(search, { text: 'needle' })).toEqual([
    'lifecycle: Lifecycle: Session ended the [needle] went away',
  ]);
});

test('a broken expression is explained, and an empty query finds nothing', async () => {
  const { search } = setUp(everythingLog().events);
  expect(await run(search, { text: '(', isRegex: true })).toEqual([]);
  expect(search.progress.value).toMatchObject({
    kind: 'idle',
    problem: expect.stringContaining('Not a regular expression'),
  });
  expect(await run(search, { text: '' })).toEqual([]);
  expect(search.progress.value.problem).toBeUndefined();
});

test('a search that is stopped keeps what it has, and looks at nothing new', async () => {
  const log = new LogBuilder();
  for (let index = 0; index < 2000; index += 1) log.call(String(index), 'needle/' + index);
  const { search, correlation } = setUp(log.events);
  search.query.value = { ...search.query.value, text: 'needle' };
  search.run();
  search.stop();
  await vi.waitFor(() => expect(search.progress.value.kind).toBe('stopped'));
  const { matchCount } = search.progress.value;
  const before = log.events.length;
  log.call('7000', 'needle/new');
  search.apply(correlation.apply(log.events.slice(before)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(search.progress.value).toMatchObject({ kind: 'stopped', matchCount });
});

test('long work lets others have their turn', async () => {
  const log = new LogBuilder();
  const httpId = log.stream();
  const filler = 'x'.repeat(2000);
  for (let index = 0; index < 5000; index += 1) {
    log.message(httpId, { jsonrpc: '2.0', method: 'm', params: `${filler} needle ${index}` });
  }
  const { search } = setUp(log.events);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setTimeout(count);
  };
  setTimeout(count);
  await run(search, { text: 'needle' });
  isOver = true;
  expect(search.progress.value).toMatchObject({ kind: 'done', matchCount: 5000 });
  expect(turns).toBeGreaterThan(3);
});

test('more matches than anybody reads end the search, and it says so', async () => {
  const log = new LogBuilder();
  for (let index = 0; index < 60; index += 1) {
    log.call(String(index), 'm', { text: 'e '.repeat(600) });
  }
  const { search } = setUp(log.events);
  await run(search, { text: 'e' });
  expect(search.progress.value).toMatchObject({ kind: 'stopped', isFull: true });
  expect(search.groups.value[0]?.matches).toHaveLength(500);
  expect(search.groups.value[0]?.omitted).toBeGreaterThan(100);
});

test('texts in which an expression takes too long are left out, and the others are not', async () => {
  const ended: number[] = [];
  const pattern = { source: 'x', flags: 'g', isRegex: true, overlap: 1 };
  let started = 0;
  const matcher = createRegexMatcher(
    pattern,
    (answered, failed) => {
      started += 1;
      const number = started;
      const worker = openWorker(answered, failed);
      return { post: worker.post, end: () => void ended.push(number) };
    },
    { startMs: 5000, jobMs: 5, textMs: 5 },
  );
  const texts = ['x', 'stuck x', 'xx'];
  const matches = await matcher.match(texts);
  expect(matches.map((list) => list?.length)).toEqual([1, undefined, 2]);
  expect(ended).toEqual([1, 2]);
  matcher.end();
  expect(ended).toEqual([1, 2, 3]);
});

test('a thread that starts late is waited for, and one that never starts is not', async () => {
  const pattern = { source: 'x', flags: 'g', isRegex: true, overlap: 1 };
  const late: OpenSearchWorker = (answered) => ({
    post: (job) => void setTimeout(() => answerJob(job, answered), 60),
    end: () => undefined,
  });
  const patience = { startMs: 5000, jobMs: 1, textMs: 1 };
  expect(await createRegexMatcher(pattern, late, patience).match(['axa'])).toEqual([
    [{ start: 1, end: 2 }],
  ]);
  const never: OpenSearchWorker = () => ({ post: () => undefined, end: () => undefined });
  const matcher = createRegexMatcher(pattern, never, { ...patience, startMs: 5 });
  await expect(matcher.match(['x'])).rejects.toThrow('gives it no time');
});

test('an expression that hangs again and again is given up, with the reason', async () => {
  const log = new LogBuilder();
  for (let index = 0; index < 5; index += 1) log.call(String(index), `stuck/${index}`);
  const { search } = setUp(log.events);
  search.query.value = { ...search.query.value, text: '(a+)+$', isRegex: true };
  search.run();
  await vi.waitFor(() => expect(search.progress.value.kind).toBe('stopped'), 10_000);
  const [gap] = search.progress.value.gaps;
  expect(gap).toContain('takes too long in Request of stuck/0 and in 4 more');
  expect(gap).toContain('nested repeats');
});

test('a browser that starts no thread is no reason to hang', async () => {
  const { correlation } = setUp(everythingLog().events);
  const search = createSearch({
    log: correlation,
    isShown: () => true,
    peek: async () => new Map(),
    openWorker: (_answered, failed) => ({
      post: () => queueMicrotask(() => failed('no threads here')),
      end: () => undefined,
    }),
  });
  search.query.value = { ...search.query.value, text: 'n.', isRegex: true };
  search.run();
  await done(search);
  expect(search.progress.value.gaps).toEqual(['The search broke off: no threads here']);
});
