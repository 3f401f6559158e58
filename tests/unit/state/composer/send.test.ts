import { signal } from '@preact/signals-core';
import { expect, test, vi } from 'vitest';
import {
  createCorrelation,
  type Correlation,
} from '../../../../lib/capture/correlate/correlate.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../../../../lib/port/contract.ts';
import { createComposer } from '../../../../lib/state/composer/composer.ts';
import { planReplay } from '../../../../lib/state/replay/replay-plan.ts';
import { createReplay, type ReplayQuestion } from '../../../../lib/state/replay/replay.ts';
import { fakeBackground, settled, summary } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';

const CALL =
  '{ "jsonrpc":"2.0", "id": 1, "method":"tools/call", "params": {"name":"pay",  "arguments":{"sum":12345678901234567890}} }';

function replaying(background: BackgroundFunctions, correlation: Correlation) {
  const sent = () => undefined;
  const source = signal(correlation);
  return createReplay({ background, source, connections: signal([summary()]), sent });
}

function record(...bodies: string[]) {
  const log = new LogBuilder();
  log.opened();
  for (const body of bodies) log.answer(log.request(body), '{"jsonrpc":"2.0","id":1,"result":{}}');
  const correlation = createCorrelation();
  correlation.apply(log.events);
  return {
    correlation,
    requests: correlation.items.filter(({ kind }) => kind === 'request'),
  };
}

/** Lets everything run that only waits for code which is loaded when it is needed. */
async function loaded(): Promise<void> {
  await vi.dynamicImportSettled();
  await settled();
}

test('a replay sends the params to the letter and names its origin', async () => {
  const { correlation, requests } = record('{"id":1,"method":"x/y","params":{"n":1.0e+2}}');
  const { background, calls } = fakeBackground();
  replaying(background, correlation).start(requests[0]);
  await loaded();
  expect(calls).toEqual([
    ['send', 'c1', 'x/y', '{"n":1.0e+2}', { replayOf: requests[0]?.sequence }],
  ]);
});

test('a replay has a progress token of its own, and no envelope of another client', async () => {
  const meta = '"progressToken":"old","io.modelcontextprotocol/clientInfo":{"name":"other"}';
  const params = `{"name":"x", "big":12345678901234567890,"_meta":{${meta}}}`;
  const { correlation, requests } = record(`{"id":1,"method":"x/y","params":${params}}`);
  const { background, calls } = fakeBackground();
  replaying(background, correlation).start(requests[0]);
  await loaded();
  expect(calls[0]?.[3]).toMatch(
    /^\{"name":"x", "big":12345678901234567890,"_meta":\{"progressToken":"p-[0-9a-f]{8}"\}\}$/,
  );
});

test('a tool call asks first, showing tool and arguments as they were', async () => {
  const { correlation, requests } = record(CALL);
  const { background, calls } = fakeBackground();
  const replay = replaying(background, correlation);
  replay.start(requests[0]);
  await loaded();
  expect(calls).toEqual([]);
  expect(replay.question.value?.calls[0]).toEqual({
    tool: 'pay',
    argumentsText: '{"sum":12345678901234567890}',
  });
  replay.cancel();
  expect(calls).toEqual([]);
  replay.start(requests[0]);
  await loaded();
  replay.confirm();
  replay.confirm();
  await loaded();
  expect(calls).toEqual([
    [
      'send',
      'c1',
      'tools/call',
      '{"name":"pay",  "arguments":{"sum":12345678901234567890}}',
      { replayOf: requests[0]?.sequence },
    ],
  ]);
});

test('another live connection to the same URL takes over; a different URL never does', () => {
  const { correlation, requests } = record('{"id":1,"method":"ping"}');
  const other = summary({ connectionId: 'c2' });
  expect(planReplay(requests[0], correlation, [other])).toMatchObject({
    kind: 'ready',
    connectionId: 'c2',
    paramsText: undefined,
  });
  const elsewhere = summary({ connectionId: 'c3', url: 'http://elsewhere/mcp' });
  const ended = summary({ state: 'closed' });
  expect(planReplay(requests[0], correlation, [elsewhere, ended])).toEqual({
    kind: 'refused',
    reason: 'No live connection to http://127.0.0.1:3001/mcp. Connect to it, then replay.',
  });
});

test('what cannot be replayed says why', () => {
  const { correlation } = record('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  const notification = correlation.items.find(({ kind }) => kind === 'notification');
  const reasons = [notification, undefined].map((item) =>
    planReplay(item, correlation, [summary()]),
  );
  expect(reasons).toEqual([
    { kind: 'refused', reason: 'Only outgoing requests can be replayed.' },
    { kind: 'refused', reason: 'Select a request to replay.' },
  ]);
});

test('a replay that the background refuses is told to the user', async () => {
  const { correlation, requests } = record('{"id":1,"method":"ping"}');
  const { background } = fakeBackground({
    // A port carries problems as plain data.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    send: () => Promise.reject({ code: 'not-connected', message: 'Gone.', advice: 'Connect.' }),
  });
  const replay = replaying(background, correlation);
  replay.start(requests[0]);
  await loaded();
  expect(replay.notice.value).toBe('Gone. Connect.');
});

function startComposer(connections: ConnectionSummary[] = [summary()]) {
  const { background, calls } = fakeBackground();
  const list = signal<readonly ConnectionSummary[]>(connections);
  const asked: ReplayQuestion[] = [];
  const sent: string[] = [];
  const composer = createComposer({
    background,
    connections: list,
    source: () => createCorrelation(),
    replay: {
      ask(question) {
        asked.push(question);
        question.send();
      },
    },
    sent: (composition) => void sent.push(composition.kind),
  });
  return { composer, calls, list, asked, sent };
}

test('params that are no JSON block sending, with their position', () => {
  const { composer, calls } = startComposer();
  composer.paramsText.value = '{\n  "a": nul\n}';
  expect(composer.fault.value).toMatch(/^Not JSON at 2:\d+: ./);
  composer.send();
  expect(calls).toEqual([]);
});

test('params are sent exactly as typed; none are sent for blank ones', async () => {
  const { composer, calls } = startComposer();
  composer.paramsText.value = ' {"n": 1.0 }\n';
  composer.send();
  composer.paramsText.value = ' \n';
  composer.send();
  await settled();
  expect(calls).toEqual([
    ['send', 'c1', 'tools/list', ' {"n": 1.0 }\n', {}],
    ['send', 'c1', 'tools/list', undefined, {}],
  ]);
});

test('a template appears only where nothing was typed, and leaves with its method', () => {
  const { composer } = startComposer();
  composer.setMethod('tools/call');
  expect(JSON.parse(composer.paramsText.value)).toEqual({ name: '', arguments: {} });
  composer.setMethod('tools/list');
  expect(composer.paramsText.value).toBe('');
  composer.paramsText.value = '{"cursor":"x"}';
  composer.setMethod('tools/call');
  expect(composer.paramsText.value).toBe('{"cursor":"x"}');
});

test('the chosen connection is used while it lives, then the newest', () => {
  const [first, second] = [summary(), summary({ connectionId: 'c2' })];
  const { composer, calls, list } = startComposer([first, second]);
  expect(composer.connection.value).toBe(second);
  composer.choose('c1');
  expect(composer.connection.value).toBe(first);
  list.value = [{ ...first, state: 'closed' }, second];
  expect(composer.connection.value).toBe(second);
  list.value = [];
  composer.send();
  expect(calls).toEqual([]);
});

test('a plan that follows from a request is sent without being its replay', async () => {
  const { correlation } = record();
  const { background, calls } = fakeBackground();
  const replay = replaying(background, correlation);
  const plan = { connectionId: 'c1', method: 'tasks/get', paramsText: '{"taskId":"t"}' };
  replay.follow({ kind: 'ready', ...plan });
  replay.follow({ kind: 'refused', reason: 'Not now.' });
  await loaded();
  expect(calls).toEqual([['send', 'c1', 'tasks/get', '{"taskId":"t"}', {}]]);
  expect(replay.notice.value).toBe('Not now.');
});

test.each([
  ['subscriptions/listen', { notifications: { toolsListChanged: true } }],
  ['tasks/get', { taskId: '' }],
  ['tasks/update', { taskId: '', inputResponses: {} }],
])('%s starts from a template', (method, params) => {
  const { composer } = startComposer();
  composer.setMethod(method);
  expect(JSON.parse(composer.paramsText.value)).toEqual(params);
});
