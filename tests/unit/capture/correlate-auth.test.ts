import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate.ts';
import type { Item } from '../../../lib/capture/items.ts';
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
