import { describe, expect, test } from 'vitest';
import type { StreamItem } from '../../../lib/capture/correlate/items.ts';
import type { HttpEnd } from '../../../lib/capture/wire-event.ts';
import { LogBuilder } from '../../support/builders.ts';
import { correlate, problem } from './correlated.ts';

describe('the GET stream', () => {
  test('is pending, then open, then closed, which is a row', () => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'stream', method: 'GET' });
    expect(correlate(log).streams).toMatchObject([{ outcome: 'pending' }]);
    log.head(h, 200, 'text/event-stream');
    expect(correlate(log).streams).toMatchObject([{ outcome: 'open' }]);
    log.end(h);
    const { streams, lifecycle } = correlate(log);
    expect(streams).toMatchObject([{ outcome: 'closed' }]);
    expect(streams[0]!.problem).toBeUndefined();
    expect(lifecycle).toMatchObject([{ title: 'GET stream closed', detail: 'by the server' }]);
  });

  test.each<[string, Partial<HttpEnd>, StreamItem['outcome']]>([
    ['broke', { outcome: 'cut', errorName: 'ECONNRESET' }, 'failed'],
    ['was closed by us', { outcome: 'aborted', cause: 'close' }, 'closed'],
    ['was over the limit', { outcome: 'aborted', cause: 'limit' }, 'failed'],
  ])('that %s says so', (_what, end, outcome) => {
    const log = new LogBuilder();
    log.end(log.stream(), end);
    expect(correlate(log).streams).toMatchObject([{ outcome }]);
  });

  test('that we closed before it was answered has not failed', () => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'stream', method: 'GET' });
    log.end(h, { outcome: 'aborted', cause: 'close' });
    expect(correlate(log).streams).toMatchObject([{ outcome: 'closed' }]);
  });

  test.each([
    [405, null, 'http-method-not-allowed'],
    [404, 'text/html', 'http-not-found'],
    [406, null, 'http-status'],
    [501, null, 'http-status'],
    [204, null, 'body-empty'],
    [200, 'text/html', 'body-web-page'],
    [200, 'application/json', 'body-type'],
  ])('is not offered when answered %i %s', (status, type, code) => {
    const log = new LogBuilder();
    log.end(log.stream(status, type));
    expect(correlate(log).streams).toMatchObject([{ outcome: 'not-offered', problem: { code } }]);
  });

  test('fails when there is no answer', () => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'stream', method: 'GET' });
    log.end(h, { outcome: 'failed', problem });
    expect(correlate(log).streams).toMatchObject([{ outcome: 'failed', problem }]);
  });
});

describe('a termination', () => {
  test.each([200, 202, 204, 404, 405])('is done when answered %i', (status) => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'terminate', method: 'DELETE' });
    log.head(h, status, null);
    log.end(h);
    const { exchanges } = correlate(log);
    expect(exchanges).toMatchObject([{ outcome: 'done' }]);
    expect(exchanges[0]!.problem).toBeUndefined();
  });

  test.each([401, 500])('says that it was answered %i', (status) => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'terminate', method: 'DELETE' });
    log.head(h, status, null);
    log.end(h);
    expect(correlate(log).exchanges).toMatchObject([{ outcome: 'failed' }]);
  });
});

describe('connections', () => {
  test('are followed from their opening to their end', () => {
    const log = new LogBuilder();
    log.opened('http://h/mcp');
    const state = () => correlate(log).connections.get('c1');
    expect(state()).toMatchObject({ state: 'opening', url: 'http://h/mcp' });
    const cuts = [{ offset: 0, length: 3, secret: 'a91c', from: 0 }];
    log.add({ kind: 'session-assigned', session: '***', cuts, by: 'header' });
    log.add({
      kind: 'connection-chosen',
      transport: 'streamable-http',
      era: 'legacy',
      revision: '2025-11-25',
      serverName: 'everything',
      evidence: [],
    });
    expect(state()).toMatchObject({
      state: 'live',
      revision: '2025-11-25',
      serverName: 'everything',
      session: 'a91c',
    });
    log.add({ kind: 'connection-closed', cause: 'user' });
    expect(state()).toMatchObject({ state: 'closed' });
  });

  test('that failed stay failed when they are closed', () => {
    const log = new LogBuilder();
    log.opened();
    log.add({ kind: 'connection-failed', problem });
    log.add({ kind: 'connection-closed', cause: 'user' });
    expect(correlate(log).connections.get('c1')).toMatchObject({ state: 'failed' });
  });
});
