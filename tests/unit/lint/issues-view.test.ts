import { expect, test, vi } from 'vitest';
import { findEvidence } from '../../../lib/state/view/evidence.ts';
import { startAppModel } from '../state/start-app-model.ts';
import { LintLog, notification, result } from './lint-log.ts';

/** The panel over a log: `show` feeds what was added since, and draws. Unless `isReady`, its rules come later. */
async function startPanel(isReady = true) {
  const { model, feed, draw } = startAppModel();
  let shown = 0;
  // The rules of the panel come from a chunk of their own.
  if (isReady) await import('../../../lib/lint/lint.ts');
  return {
    model,
    async show(log: LintLog) {
      feed.events(log.events.slice(shown));
      shown = log.events.length;
      draw();
      // Rules may be on their way that this is the first to need.
      if (isReady) await vi.waitUntil(() => model.issues.isUpToDate());
      draw();
    },
    itemNamed(method: string) {
      const item = model.correlation.items.find(
        (candidate) => 'method' in candidate && candidate.method === method,
      );
      if (item === undefined) throw new Error(`no item ${method}`);
      return item;
    },
  };
}

test('what came before the rules were there is judged when they are', async () => {
  const { model, show } = await startPanel(false);
  const log = new LintLog().connect();
  log.end(log.streamed().httpId);
  void show(log);
  await vi.waitFor(() => {
    void show(log);
    expect(model.issues.count.value).toBe(1);
  });
});

test('a row is marked with the number of its issues and the gravest severity', async () => {
  const { model, show, itemNamed } = await startPanel();
  const log = new LintLog().connect();
  const { httpId } = log.streamed();
  log.sse(httpId, 'no field\n\n');
  log.end(httpId);
  await show(log);
  expect(model.issues.markOf(itemNamed('tools/call'))).toEqual({ count: 2, severity: 'warning' });
  expect(model.issues.markOf(itemNamed('initialize'))).toBeUndefined();
  expect(model.issues.count.value).toBe(2);
});

test('an issue that turns up later brings the open details up to date', async () => {
  const { model, show, itemNamed } = await startPanel();
  const log = new LintLog().connect();
  log.stream(404, null);
  await show(log);
  const stream = model.correlation.items.find(({ kind }) => kind === 'stream');
  expect(stream && model.issues.of(stream)).toEqual([]);
  model.selection.open(stream);
  const { value: before } = model.selection.revision;
  // The session lives, so the 404 did not mean that it is over.
  log.asked((id) => result(id), 'ping');
  await show(log);
  expect(model.selection.revision.value).toBeGreaterThan(before);
  expect(stream && model.issues.of(stream)).toMatchObject([{ ruleId: 'HTT-03' }]);
  expect(model.issues.of(itemNamed('ping'))).toEqual([]);
});

test('evidence leads to the event on the row of its message', async () => {
  const { model, show } = await startPanel();
  const log = new LintLog().connect();
  const stream = log.stream();
  log.sse(stream, ': hello\n\n');
  log.message(stream, { method: 'notifications/message' });
  await show(log);
  const [issue] = model.issues.of(model.correlation.items.at(-1) ?? ({ key: '' } as never));
  const place = issue && findEvidence(issue.evidence[0] ?? { sequence: 0 }, model.correlation);
  expect(place).toMatchObject({
    label: 'Event 2 of the GET stream',
    item: { kind: 'notification' },
    tab: 'stream',
    eventSequence: log.events.length,
  });
  if (place === undefined) return;
  model.selection.openAt(place.item, place.tab, place.eventSequence);
  expect(model.selection.isOpen.value).toBe(true);
  expect(model.selection.tab.value).toBe('stream');
  expect(model.selection.event.value).toBe(log.events.length);
  model.selection.open(model.correlation.items[0]);
  expect(model.selection.event.value).toBeUndefined();
});

test.each([
  ['a head', 'http-response', 'Response headers of notifications/x', 'headers'],
  ['a request', 'http-request', 'Request headers of notifications/x', 'headers'],
  ['an end', 'http-end', 'End of notifications/x', 'timing'],
] as const)(
  'evidence leads to %s in the details of its exchange',
  async (_name, kind, label, tab) => {
    const { model, show } = await startPanel();
    const log = new LintLog().connect();
    const httpId = log.notify('notifications/x');
    await show(log);
    const event = log.events.findLast((candidate) => candidate.kind === kind);
    const place = findEvidence({ sequence: event?.sequence ?? 0, httpId }, model.correlation);
    expect(place).toMatchObject({ label, tab, item: { method: 'notifications/x' } });
  },
);

test('evidence in a body of JSON leads to the message', async () => {
  const { model, show } = await startPanel();
  const log = new LintLog().connect();
  const httpId = log.asked((id) => result(id, {}));
  await show(log);
  const { sequence } = log.events.findLast(({ kind }) => kind === 'http-end') ?? { sequence: 0 };
  expect(findEvidence({ sequence, httpId }, model.correlation)).toMatchObject({
    label: 'Answer of tools/list',
    tab: 'message',
  });
});

test('evidence leads to the frame of a WebSocket, and to what happened to a connection', async () => {
  const { model, show } = await startPanel();
  const log = new LintLog();
  const send = log.socket();
  send('incoming', { ...(notification('notifications/x') as object), jsonrpc: '1.0' });
  log.closed();
  await show(log);
  const [issue] = model.issues.of(
    model.correlation.items.find((item) => 'method' in item && item.method === 'notifications/x') ??
      ({ key: '' } as never),
  );
  const frame = issue?.evidence[0] ?? { sequence: 0 };
  expect(findEvidence(frame, model.correlation)).toMatchObject({
    label: 'Frame 4 of the WebSocket',
    tab: 'stream',
  });
  expect(findEvidence({ sequence: log.events.length }, model.correlation)).toMatchObject({
    label: 'Disconnected',
    tab: 'message',
    item: { kind: 'lifecycle' },
  });
});

test('evidence of an event that the panel does not hold leads nowhere', async () => {
  const { model } = await startPanel();
  expect(findEvidence({ sequence: 5, httpId: 'gone' }, model.correlation)).toBeUndefined();
});
