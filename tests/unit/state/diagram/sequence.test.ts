import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import { filterLanguage } from '../../../../lib/state/filter/filter-language.ts';
import { linesInTurns } from '../../../../lib/state/detail/lines-in-turns.ts';
import { createSequenceDiagram } from '../../../../lib/state/diagram/sequence-diagram.ts';
import type { Lifeline } from '../../../../lib/state/diagram/sequence-lifelines.ts';
import { toMermaid } from '../../../../lib/state/diagram/sequence-mermaid.ts';
import { createSequenceModel } from '../../../../lib/state/diagram/sequence-model.ts';
import { scopeOf } from '../../../../lib/state/diagram/sequence-scope.ts';
import type { SequenceStep } from '../../../../lib/state/diagram/sequence-step.ts';
import { toSvg } from '../../../../lib/state/diagram/sequence-svg.ts';
import { createTrafficView } from '../../../../lib/state/view/traffic-view.ts';
import { LogBuilder } from '../../../support/builders.ts';

function diagramOf(events: readonly WireEvent[]) {
  const correlation = createCorrelation();
  correlation.apply(events);
  const diagram = createSequenceDiagram(correlation);
  for (const item of correlation.items) diagram.take(item);
  return { diagram, correlation };
}

const ARROWS = { call: '->', answer: '-->', signal: '~>', note: '==' } as const;
const SIGNS = { done: '', pending: ' …', warning: ' !', error: ' x' } as const;

/** Each step as one line: from, arrow, to, label, state. */
function lines(steps: readonly SequenceStep[]): string[] {
  return steps.map(
    ({ kind, from, to, label, state }) =>
      `${from} ${ARROWS[kind]} ${to}: ${label.replace(/ · [\d.]+ ms$/, '')}${SIGNS[state]}`,
  );
}

function conversation(): LogBuilder {
  const log = new LogBuilder();
  const call = log.call('1', 'tools/call', { name: 'echo', _meta: { progressToken: 'a' } });
  log.head(call, 200, 'text/event-stream');
  log.message(call, {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 'a', progress: 3, total: 5 },
  });
  log.message(call, { jsonrpc: '2.0', id: 'q', method: 'roots/list' });
  const answer = log.request('{"jsonrpc":"2.0","id":"q","result":{"roots":[]}}');
  log.answer(answer, '', 202, null);
  log.message(call, { jsonrpc: '2.0', id: 1, result: { content: [] } });
  log.end(call);
  return log;
}

test('a call, its progress, a question of the server and the answers are arrows in order of time', () => {
  const { diagram } = diagramOf(conversation().events);
  expect(lines(diagram.steps)).toEqual([
    'client -> server c1: tools/call echo',
    'server c1 ~> client: progress 3 of 5',
    'server c1 -> client: roots/list',
    'client --> server c1: result',
    'server c1 --> client: 200 result',
  ]);
  expect(diagram.lifelines().map(({ kind }) => kind)).toEqual(['client', 'server']);
});

test('what waits, fails, is cancelled or is refused shows so', () => {
  const log = new LogBuilder();
  log.call('1', 'tools/list');
  log.answer(log.call('2', 'ping'), 'out of cheese', 500, 'text/plain');
  log.answer(log.call('3', 'no/such'), {
    jsonrpc: '2.0',
    id: 3,
    error: { code: -32601, message: 'Method not found' },
  });
  const failed = log.call('4', 'tools/call', { name: 'x' });
  log.add({
    kind: 'http-end',
    httpId: failed,
    end: { outcome: 'failed', problem: { code: 'network-refused', message: 'Refused.' } },
  });
  log.answer(log.call('5', 'tools/call', { name: 'y' }), {
    jsonrpc: '2.0',
    id: 5,
    result: { isError: true, content: [] },
  });
  const { diagram } = diagramOf(log.events);
  expect(lines(diagram.steps)).toEqual([
    'client -> server c1: tools/list …',
    'client -> server c1: ping',
    'server c1 --> client: 500 failed x',
    'client -> server c1: no/such',
    'server c1 --> client: 200 error: Method not found (-32601) x',
    'client -> server c1: tools/call x · failed x',
    'client -> server c1: tools/call y',
    'server c1 --> client: 200 tool error x',
  ]);
});

test('streams open and close, retries are named, and a restart is a note', () => {
  const log = new LogBuilder();
  const stream = log.stream();
  log.sse(stream, ': hi\n\n');
  log.end(stream);
  log.stream(405, null);
  const first = log.call('1');
  log.call('1', 'tools/list', undefined, { links: { retryOf: first, attempt: 2, reason: '401' } });
  log.restart('boot-2');
  const { diagram } = diagramOf(log.events);
  expect(lines(diagram.steps).slice(0, 6)).toEqual([
    'client -> server c1: GET stream',
    'server c1 --> client: 200 stream open',
    'server c1 --> client: stream closed',
    'client -> server c1: GET stream · interrupted !',
    'client -> server c1: tools/list · interrupted !',
    'client -> server c1: tools/list (attempt 2) · interrupted !',
  ]);
  expect(diagram.steps.at(-1)).toMatchObject({
    kind: 'note',
    state: 'warning',
    label: expect.stringContaining('Worker restarted'),
  });
});

test('a challenge and a redirect are answers, and what follows them another call', () => {
  const log = new LogBuilder();
  const first = log.call('1');
  log.add({ kind: 'auth-challenged', httpId: first, chain: 'k', reason: 'authorization' });
  log.answer(first, {}, 401);
  log.add({ kind: 'auth-resolved', httpId: first, chain: 'k', outcome: 'repeat' });
  const links = { retryOf: first, attempt: 2, reason: 'authorization', authChain: 'k' } as const;
  const second = log.call('1', 'tools/list', undefined, { links });
  log.add({
    kind: 'http-redirect',
    httpId: second,
    status: 307,
    location: '/there',
    target: 'https://mcp.example/there',
  });
  log.answer(second, {}, 307);
  const hop = { links: { causedBy: second, reason: 'redirect' } } as const;
  log.answer(log.call('1', 'tools/list', undefined, hop), '{"jsonrpc":"2.0","id":1,"result":{}}');
  const { diagram } = diagramOf(log.events);
  expect(lines(diagram.steps)).toEqual([
    'client -> server c1: tools/list',
    'server c1 --> client: 401',
    'client -> server c1: tools/list',
    'client == server c1: Redirect 307: to https://mcp.example/there',
    'server c1 --> client: 307',
    'client -> server c1: tools/list (redirected)',
    'server c1 --> client: 200 result',
  ]);
  expect(diagram.steps.map(({ sequence }) => sequence)).toEqual(
    diagram.steps.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
  );
});

test('what goes to an authorization server has a lifeline of its own, by origin', () => {
  const log = new LogBuilder();
  log.connectionId = 'c1';
  const discovery = { purpose: 'discovery', method: 'GET' } as const;
  const own = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';
  log.answer(log.request(undefined, { ...discovery, url: own }), {});
  const theirs = 'https://login.example/.well-known/oauth-authorization-server';
  log.answer(log.request(undefined, { ...discovery, url: theirs }), {}, 404);
  log.answer(log.request('a=b', { purpose: 'token', url: 'https://login.example/token' }), {});
  const { diagram } = diagramOf(log.events);
  expect(diagram.lifelines().map(({ id, title }) => [id, title])).toEqual([
    ['client', 'Wirescope'],
    ['server c1', 'Server'],
    ['authorization https://login.example', 'login.example'],
  ]);
  expect(lines(diagram.steps).at(-2)).toBe(
    'client -> authorization https://login.example: POST /token',
  );
});

test('a socket opens, carries messages both ways, and closes', () => {
  const log = new LogBuilder();
  log.add({ kind: 'socket-opening', socketId: 's', url: { text: 'ws://x/' }, subprotocols: [] });
  log.add({ kind: 'socket-open', socketId: 's', subprotocol: 'mcp' });
  const frame = (direction: 'outgoing' | 'incoming', text: string) =>
    log.add({
      kind: 'socket-frame',
      socketId: 's',
      direction,
      opcode: 'text',
      data: { bytes: Buffer.from(text) },
    });
  frame('outgoing', '{"jsonrpc":"2.0","id":1,"method":"ping"}');
  frame('incoming', '{"jsonrpc":"2.0","id":1,"result":{}}');
  log.add({
    kind: 'socket-close',
    socketId: 's',
    code: 1000,
    reason: 'bye',
    clean: true,
    by: 'us',
  });
  const { diagram } = diagramOf(log.events);
  expect(lines(diagram.steps)).toEqual([
    'client -> server c1: WebSocket',
    'server c1 --> client: open, subprotocol mcp',
    'client -> server c1: ping',
    'server c1 --> client: result',
    'client ~> server c1: close 1000 bye',
  ]);
});

test('however a log is cut into batches, the diagram is that of all of it', () => {
  const log = conversation();
  log.stream();
  log.answer(log.call('2', 'ping'), 'x', 500, 'text/plain');
  log.restart('boot-2');
  const { events } = log;
  const whole = lines(diagramOf(events).diagram.steps);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: events.length - 1 })), (places) => {
      const cuts = [...new Set([0, ...places, events.length])].sort((a, b) => a - b);
      const correlation = createCorrelation();
      const diagram = createSequenceDiagram(correlation);
      for (const [at, from] of cuts.entries()) {
        for (const item of correlation.apply(events.slice(from, cuts[at + 1] ?? events.length))) {
          diagram.take(item);
        }
      }
      expect(lines(diagram.steps)).toEqual(whole);
    }),
  );
});

test('the model takes in what comes while it is built, and after that', async () => {
  const log = conversation();
  const correlation = createCorrelation();
  correlation.apply(log.events.slice(0, 3));
  const model = createSequenceModel(correlation);
  model.build(() => true);
  model.apply(correlation.apply(log.events.slice(3, 6)));
  await vi.waitFor(() => expect(model.isBuilding.value).toBe(false));
  model.apply(correlation.apply(log.events.slice(6)));
  await vi.waitFor(() => expect(model.isBuilding.value).toBe(false));
  expect(lines(model.diagram.value.steps)).toEqual(lines(diagramOf(log.events).diagram.steps));
});

test('a diagram of the selection holds the group of the row, and nothing that only stands beside it', () => {
  const log = conversation();
  const other = log.call('2', 'tools/list');
  log.answer(other, { jsonrpc: '2.0', id: 2, result: {} });
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const view = createTrafficView(correlation, {
    now: () => 0,
    loadLanguage: async () => filterLanguage,
    hasIssue: () => false,
  });
  view.refresh(new Set(correlation.items));
  const belongs = (item: Item) => correlation.items.filter(scopeOf('selection', item, view));
  const [call, progress] = correlation.items;
  const names = (items: Item[]) => items.map((item) => 'method' in item && item.method);
  expect(names(belongs(call!))).toEqual(['tools/call', 'notifications/progress', 'roots/list']);
  expect(names(belongs(progress!))).toEqual(names(belongs(call!)));
  expect(names(belongs(correlation.items.at(-1)!))).toEqual(['tools/list']);
  expect(correlation.items.filter(scopeOf('selection', undefined, view))).toEqual([]);
});

/*
 * The grammar of Mermaid's sequence diagrams, as far as it is used here. Entities are read before anything is
 * parsed. Then: one statement a line; `#` and `;` end it, and `%%` begins a comment; participants have an alias
 * after `as`; a signal is `actor arrow actor : text`; a note stands over one actor or two.
 */
const ENTITY = /#(\d+);/g;
const ACTOR = /P\d+/.source;
const TEXT = /[^#;%\n{}<>:]+/.source;
const STATEMENTS = [
  new RegExp(`^    participant ${ACTOR} as ${TEXT}$`),
  new RegExp(`^    ${ACTOR}(?:->>|-->>|-\\)|--x)${ACTOR}: ${TEXT}$`),
  new RegExp(`^    Note over ${ACTOR}(?:,${ACTOR})?: ${TEXT}$`),
];

test('Mermaid text follows its grammar, whatever stands in a label, and says the label to the letter', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('end', 'wrap: x', 'a;b', '#', '%%{init: {}}%%', '->>', '<br/>', 'Note', 'a\nb'),
  );
  const label = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const kind = fc.constantFrom<SequenceStep['kind']>('call', 'answer', 'signal', 'note');
  const state = fc.constantFrom<SequenceStep['state']>('done', 'warning', 'error');
  const [item] = diagramOf(conversation().events).correlation.items;
  fc.assert(
    fc.property(label, label, kind, state, (title, text, stepKind, stepState) => {
      const lifelines: Lifeline[] = [
        { id: 'client', kind: 'client', title: 'Wirescope', note: 'client' },
        { id: 'server', kind: 'server', title, note: 'server' },
      ];
      const step: SequenceStep = {
        key: '1',
        sequence: 1,
        item: item!,
        kind: stepKind,
        from: 'client',
        to: 'server',
        label: text,
        state: stepState,
        time: 0,
      };
      const [head, ...statements] = [...toMermaid(lifelines, [step])]
        .join('')
        .trimEnd()
        .split('\n');
      expect(head).toBe('sequenceDiagram');
      expect(statements).toHaveLength(3);
      for (const statement of statements) {
        // What an entity stands for is never parsed: any letter may take its place.
        const parsed = statement.replaceAll(ENTITY, 'x');
        expect([parsed, STATEMENTS.filter((form) => form.test(parsed)).length]).toEqual([
          parsed,
          1,
        ]);
        expect(parsed).not.toMatch(/\bend\b|\bwrap:/);
      }
      const shown = statements[2]!
        .slice(statements[2]!.indexOf(': ') + 2)
        .replaceAll(ENTITY, (_entity, code) => String.fromCodePoint(Number(code)));
      const expected = text.replaceAll(/\s+/g, ' ').trim();
      expect(shown).toBe(expected === '' ? '\u200B' : expected);
    }),
  );
});

test('what is pending says so in Mermaid, and an error ends in a cross', () => {
  const log = new LogBuilder();
  log.call('1', 'tools/list');
  log.answer(log.call('2', 'ping'), 'x', 500, 'text/plain');
  const { diagram } = diagramOf(log.events);
  const text = [...toMermaid(diagram.lifelines(), diagram.steps)].join('');
  expect(text).toContain('P1->>P2: tools/list (pending)\n');
  expect(text).toMatch(/P2--xP1: 500 failed #183; .* ms\n/);
});

test('an SVG file is well formed, stands alone, and keeps text as text', async () => {
  const log = conversation();
  log.call('3', 'tools/call', { name: '<script>"&\u0000\uD800' });
  const { diagram } = diagramOf(log.events);
  const svg = (await linesInTurns(toSvg(diagram.lifelines(), diagram.steps))).join('');
  const open: string[] = [];
  const closed: (string | undefined)[] = [];
  const tags = /<(\/?)([a-z]+)((?:\s[\w-]+="[^"<]*")*\s*\/?)>/g;
  for (const [, close, name = '', rest = ''] of svg.matchAll(tags)) {
    if (close === '/') closed.push(open.pop() === name ? undefined : name);
    else if (!rest.endsWith('/')) open.push(name);
  }
  expect(open).toEqual([]);
  expect(closed.filter((name) => name !== undefined)).toEqual([]);
  const bare = svg.replaceAll(/<\/?[a-z]+(?:\s[\w-]+="[^"<]*")*\s*\/?>/g, '');
  expect(bare).not.toMatch(/[<>]/);
  expect(bare).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
  expect(bare).toContain('&lt;script&gt;');
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  expect(svg).not.toMatch(/[\u0000-\u0008\uD800-\uDFFF]/);
  expect(svg).not.toMatch(/href|url\((?!#)|<style|<script/);
  expect(svg.match(/<text /g)!.length).toBeGreaterThan(diagram.steps.length * 2 - 1);
});
