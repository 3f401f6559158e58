import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../lib/capture/correlate/items.ts';
import type { ErrorCode } from '../../../lib/errors.ts';
import type { RequestLinks, WireFact } from '../../../lib/capture/wire-event.ts';
import { wireEvent } from '../../support/builders.ts';

const utf8 = new TextEncoder();
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}';

function request(httpId: string, links: RequestLinks = {}, purpose = 'message' as const): WireFact {
  return {
    kind: 'http-request',
    httpId,
    purpose,
    method: 'POST',
    url: { text: 'http://127.0.0.1:1/mcp' },
    headers: [],
    body: { bytes: utf8.encode(CALL) },
    links,
  };
}

function answered(httpId: string, status: number, body: string): WireFact[] {
  const headers = [{ name: 'content-type', value: 'application/json' }];
  const bytes = utf8.encode(body);
  return [
    { kind: 'http-response', httpId, status, statusText: '', headers },
    { kind: 'http-chunk', httpId, offset: 0, data: { bytes } },
    { kind: 'http-end', httpId, end: { outcome: 'complete', sizeBytes: bytes.length } },
  ];
}

const challenged: WireFact = {
  kind: 'auth-challenged',
  httpId: 'h1',
  chain: 'a',
  reason: 'authorization',
};
const resolved = (outcome: 'repeat' | 'stands', code?: 'auth-denied'): WireFact => ({
  kind: 'auth-resolved',
  httpId: 'h1',
  chain: 'a',
  outcome,
  ...(code === undefined ? {} : { problem: { code, message: 'No.' } }),
});
const repeat: RequestLinks = { retryOf: 'h1', attempt: 2, reason: 'authorization', authChain: 'a' };

function play(...facts: WireFact[]): Item[] {
  const correlation = createCorrelation();
  correlation.apply(facts.map((fact, index) => wireEvent(index + 1, fact, { connectionId: 'c' })));
  return correlation.items.filter(({ kind }) => kind === 'request');
}

describe('a request whose answer asks for authorization', () => {
  const refused = [request('h1'), challenged, ...answered('h1', 401, '{"error":"no"}')];

  test('waits, although its exchange has ended', () => {
    expect(play(...refused)).toMatchObject([{ outcome: 'pending', httpId: 'h1' }]);
  });

  test('goes on with the repeat, as one row', () => {
    const rows = play(
      ...refused,
      resolved('repeat'),
      request('h2', repeat),
      ...answered('h2', 200, RESULT),
    );
    expect(rows).toMatchObject([{ outcome: 'result', httpId: 'h2' }]);
    expect(rows[0]).not.toHaveProperty('problem');
  });

  test('fails where the answer stands, and says why authorization was in vain', () => {
    expect(play(...refused, resolved('stands'))).toMatchObject([
      { outcome: 'failed', problem: { code: 'http-unauthorized' } },
    ]);
    const why = [{ outcome: 'failed', problem: { code: 'auth-denied' } }];
    expect(play(...refused, resolved('stands', 'auth-denied'))).toMatchObject(why);
    // Also where the end of the exchange is the last to come.
    const [head, ...rest] = refused.slice(2);
    const late = [request('h1'), challenged, head, resolved('stands', 'auth-denied'), ...rest];
    expect(play(...late.filter((fact) => fact !== undefined))).toMatchObject(why);
  });

  test('takes no error of a refusal for its response', () => {
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}';
    const first = [request('h1'), challenged, ...answered('h1', 401, error)];
    expect(
      play(...first, resolved('repeat'), request('h2', repeat), ...answered('h2', 200, RESULT)),
    ).toMatchObject([{ outcome: 'result' }]);
  });
});

describe('an authorization', () => {
  const started: WireFact = {
    kind: 'auth-started',
    chain: 'a',
    reason: 'authorization',
    url: { text: 'http://127.0.0.1:1/mcp' },
  };
  const opened: WireFact = { kind: 'auth-consent', chain: 'a', step: 1, state: 'opened' };
  const interrupted: WireFact = { ...opened, step: 0, state: 'interrupted' };
  const ended = (outcome: 'authorized' | 'failed', code?: ErrorCode): WireFact => ({
    kind: 'auth-ended',
    chain: 'a',
    outcome,
    ...(code === undefined ? {} : { problem: { code, message: 'No.' } }),
  });

  function record(...facts: WireFact[]) {
    const correlation = createCorrelation();
    correlation.apply(facts.map((fact, index) => wireEvent(index + 1, fact)));
    return { correlation, item: correlation.auths.get('a')?.item };
  }

  test('is a row of its own that lasts until it has ended', () => {
    const { item } = record(started, opened);
    expect(item).toMatchObject({ kind: 'auth', key: 'auth a', sequence: 1, outcome: 'pending' });
    expect(record(started, opened, ended('authorized')).item).toMatchObject({
      outcome: 'authorized',
      ended: { monotonicTime: 3 },
    });
  });

  test.each([
    ['auth-denied', 'denied'],
    ['permission-denied', 'denied'],
    ['auth-closed', 'closed'],
    ['auth-discovery', 'failed'],
  ] as const)('that ends with %s is %s', (code, outcome) => {
    expect(record(started, opened, ended('failed', code)).item).toMatchObject({
      outcome,
      problem: { code },
    });
  });

  test('that was interrupted stays so, unless somebody goes on with it', () => {
    const facts = [started, opened, interrupted];
    expect(record(...facts).item).toMatchObject({ outcome: 'interrupted', ended: {} });
    expect(record(...facts, ended('failed', 'auth-closed')).item?.outcome).toBe('interrupted');
    const goneOn = record(...facts, started, opened);
    expect(goneOn.item?.outcome).toBe('pending');
    expect(goneOn.item).not.toHaveProperty('ended');
    expect(record(...facts, started, opened, ended('authorized')).item?.outcome).toBe('authorized');
    expect(goneOn.correlation.items.filter(({ kind }) => kind === 'auth')).toHaveLength(1);
  });

  test('that was under way when the worker stopped is interrupted', () => {
    const correlation = createCorrelation();
    const restart = { kind: 'worker-started', cause: 'wake' } as const;
    correlation.apply([
      wireEvent(1, started),
      wireEvent(2, opened),
      wireEvent(3, restart, { bootId: 'later' }),
    ]);
    expect(correlation.auths.get('a')?.item?.outcome).toBe('interrupted');
  });

  test('of which only the waiting is known has no row', () => {
    const { correlation, item } = record(request('h1'), challenged, request('h2', repeat));
    expect(item).toBeUndefined();
    expect(correlation.items.map(({ kind }) => kind)).toEqual(['request']);
    expect(correlation.auths.get('a')).toMatchObject({ exchanges: [{ httpId: 'h2' }] });
  });

  test('whose beginning is missing begins with the first step that there is', () => {
    const step: WireFact = {
      kind: 'auth-step',
      chain: 'a',
      step: 4,
      what: 'token',
      verdict: 'used',
      reason: 'a token',
    };
    expect(record(step, ended('authorized')).item).toMatchObject({ sequence: 1, ended: {} });
  });
});
