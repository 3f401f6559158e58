import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Cut } from '../../../../lib/capture/store/stored-text.ts';
import { withoutEnvelope, withEnvelope } from '../../../../lib/protocol/envelope.ts';
import { planExact } from '../../../../lib/state/replay/replay-exact-plan.ts';
import {
  requestFault,
  resolveExact,
  secretsOf,
  toBodyText,
  toExactRequest,
  type ExactRequest,
} from '../../../../lib/state/replay/replay-exact.ts';
import { wordLeftOut } from '../../../../lib/state/replay/replay-headers.ts';
import {
  fillMarks,
  marksIn,
  redactedIn,
  toMarked,
} from '../../../../lib/state/replay/replay-marks.ts';
import { isKnownReadOnly } from '../../../../lib/state/replay/replay-read-only.ts';
import { summary } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';

const utf8 = new TextEncoder();

/** A text in which stretches are masked, with the values that stood there. */
const maskedText = fc
  .array(fc.record({ before: fc.string(), secret: fc.string({ minLength: 1, maxLength: 12 }) }), {
    maxLength: 4,
  })
  .chain((parts) => fc.record({ parts: fc.constant(parts), tail: fc.string() }))
  .map(({ parts, tail }) => {
    let text = '';
    let original = '';
    const cuts: Cut[] = [];
    const values: Record<string, string> = {};
    for (const [index, { before, secret }] of parts.entries()) {
      const fingerprint = `aa0${index}`;
      text += before;
      original += before;
      cuts.push({ offset: text.length, length: secret.length, secret: fingerprint, from: 0 });
      values[fingerprint] = secret;
      text += '*'.repeat(secret.length);
      original += secret;
    }
    return { text: text + tail, original: original + tail, cuts, values };
  });

describe('marks', () => {
  test('filled in they give the text as it was', () => {
    fc.assert(
      fc.property(maskedText, ({ text, original, cuts, values }) => {
        const marked = toMarked(text, cuts);
        expect(new Set(marksIn(marked))).toEqual(new Set(Object.keys(values)));
        expect(fillMarks(marked, values)).toBe(original);
        expect(fillMarks(marked, {}) === undefined).toBe(cuts.length > 0);
      }),
    );
  });

  test('know a part of a secret', () => {
    const cuts = [{ offset: 1, length: 3, secret: 'beef', from: 2 }];
    expect(fillMarks(toMarked('<***>', cuts), { beef: 'abcdefg' })).toBe('<cde>');
  });

  test('are no pseudonyms, which redacted files have', () => {
    expect(redactedIn('{"k":"redacted~tok~0123456789"}')).toBe('redacted~tok~0123456789');
    expect(redactedIn('{{secret:beef}}')).toBeUndefined();
  });
});

describe('a request as it was', () => {
  const request: ExactRequest = {
    method: 'POST',
    url: 'https://one.example/mcp',
    origin: 'https://one.example',
    headers: [
      { name: 'Authorization', value: 'Bearer {{secret:beef}}' },
      { name: 'X-Api-Key', value: 'plain' },
      { name: 'Accept', value: 'application/json' },
      { name: 'Host', value: 'one.example' },
      { name: 'Sec-Fetch-Mode', value: 'cors' },
    ],
    body: { text: '{"a":1}' },
  };
  const values = { beef: 's3cret' };
  const names = (given: ExactRequest, held: Record<string, string> = values) => {
    const resolved = resolveExact(given, held);
    if (!resolved.ok) return resolved.reason;
    return {
      sent: resolved.message.headers.map(({ name, value }) => `${name}: ${value}`),
      leftOut: resolved.leftOut.map(({ name, why }) => `${name}: ${why}`),
    };
  };

  test('goes with its secrets, without what the browser writes', () => {
    expect(secretsOf(request)).toEqual(['beef']);
    expect(names(request)).toEqual({
      sent: ['Authorization: Bearer s3cret', 'X-Api-Key: plain', 'Accept: application/json'],
      leftOut: ['Host: browser', 'Sec-Fetch-Mode: browser'],
    });
  });

  test('gives no other origin a credential, unless it was typed for it', () => {
    const elsewhere = { ...request, url: 'https://two.example/mcp' };
    expect(names(elsewhere)).toMatchObject({
      sent: ['Accept: application/json'],
      leftOut: expect.arrayContaining(['Authorization: other-origin', 'X-Api-Key: other-origin']),
    });
    const typed = { name: 'X-Api-Key', value: 'mine', isTyped: true };
    expect(names({ ...elsewhere, headers: [typed] })).toMatchObject({ sent: ['X-Api-Key: mine'] });
    const marked = { name: 'X-Api-Key', value: '{{secret:beef}}', isTyped: true };
    expect(names({ ...elsewhere, headers: [marked] })).toMatchObject({ sent: [] });
    const body = { text: '{"session":"{{secret:beef}}"}' };
    expect(names({ ...elsewhere, body })).toContain('another origin');
    expect(
      names({ ...elsewhere, url: 'https://two.example/?k={{secret:beef}}', origin: '' }),
    ).toContain('another origin');
  });

  test('leaves out what is no longer held, and stand-ins of redacted files', () => {
    expect(names(request, {})).toMatchObject({
      leftOut: expect.arrayContaining(['Authorization: not-held']),
    });
    const redacted = { name: 'authorization', value: 'Bearer redacted~tok~0123456789' };
    const masked = { name: 'authorization', value: 'Bearer [REDACTED]' };
    expect(names({ ...request, headers: [redacted, masked] })).toEqual({
      sent: [],
      leftOut: ['authorization: redacted', 'authorization: redacted'],
    });
    const body = { text: '{"k":"redacted~tok~0123456789"}' };
    expect(names({ ...request, body })).toContain('redacted~tok~0123456789');
    expect(names({ ...request, body: { text: '{{secret:beef}}' } }, {})).toContain(
      'no longer held',
    );
    expect(names({ ...request, url: 'https://one.example/?{{secret:dead}}' })).toContain(
      'no longer held',
    );
    expect(names({ ...request, url: 'https://one.example/?redacted~sid~0123456789' })).toContain(
      'redacted~sid~0123456789',
    );
  });

  test('has its recorded bytes, secrets joined in', () => {
    const bytes = utf8.encode('{"é":"******"}');
    const cuts = [{ offset: 7, length: 6, secret: 'beef', from: 0 }];
    const recorded = { ...request, body: { recorded: { bytes, cuts } } };
    expect(secretsOf(recorded)).toEqual(['beef']);
    const resolved = resolveExact(recorded, values);
    const body = resolved.ok ? Buffer.from(resolved.message.base64 ?? '', 'base64') : undefined;
    expect(body?.toString()).toBe('{"é":"s3cret"}');
    expect(names(recorded, {})).toContain('no longer held');
    expect(toBodyText({ bytes, cuts })).toBe('{"é":"{{secret:beef}}"}');
    expect(toBodyText({ bytes: Uint8Array.of(0xff) })).toBeUndefined();
  });

  test.each([
    ['TRACE', 'https://one.example/', false],
    ['POST', 'ftp://one.example/', true],
    ['GET', 'https://one.example/', true],
    ['A B', 'https://one.example/', false],
    ['POST', 'nonsense', true],
  ])('%s %s is refused where no browser sends it', (method, url, hasBody) => {
    expect(requestFault(method, url, hasBody)).toMatch(/./);
    expect(names({ ...request, method, url })).toMatch(/does not send|not a URL/);
  });

  test('has no header that HTTP does not allow', () => {
    const headers = [{ name: 'a b', value: 'x' }];
    expect(names({ ...request, headers })).toContain('a b');
    expect(names({ ...request, headers: [{ name: 'a', value: 'x\ny' }] })).toMatch(/does not send/);
  });

  test.each([
    ['POST', 'application/json', true, 'message'],
    ['GET', 'text/event-stream', false, 'stream'],
    ['GET', '*/*', false, 'probe'],
    ['DELETE', '*/*', false, 'terminate'],
  ])('%s for %s says what it is for', (method, accept, hasBody, purpose) => {
    const headers = [{ name: 'accept', value: accept }];
    const body = hasBody ? { body: { text: '{}' } } : {};
    const resolved = resolveExact({ method, url: 'https://one.example/', headers, ...body }, {});
    expect(resolved).toMatchObject({ ok: true, message: { purpose } });
  });

  test('says in a sentence for each reason what is left out', () => {
    expect(
      wordLeftOut([
        { name: 'Host', why: 'browser' },
        { name: 'Via', why: 'browser' },
        { name: 'Cookie', why: 'not-held' },
      ]),
    ).toEqual([
      'The browser writes these itself or sends none: Host, Via.',
      'Their secrets are no longer held: Cookie.',
    ]);
  });
});

describe('the envelope of a modern request', () => {
  const envelope = {
    protocolVersion: '2026-07-28',
    clientInfo: { name: 'x' },
    clientCapabilities: {},
  };

  test.each([
    '{}',
    '{ "a" : 1 }',
    '{"_meta":{} }',
    '{"_meta":{}}',
    '{"_meta":{ "progressToken" : 12345678901234567890 , "x":1 }}',
    '{"a":"é\\u00e9", "_meta": {"traceparent":"t"} , "b":[1 , 2]}',
  ])('comes out as it went in: %s', (params) => {
    const without = withoutEnvelope(withEnvelope(params, envelope));
    expect(without.replace('"_meta":{},', '').replace('"_meta":{}', '')).toBe(
      params.replace('"_meta":{}', ''),
    );
    expect(withoutEnvelope(params)).toBe(params);
  });

  test('goes wherever it stands among others, twice too', () => {
    const key = 'io.modelcontextprotocol/clientInfo';
    expect(withoutEnvelope(`{"_meta":{"a":1 , "${key}":{}, "b":2,"${key}":3}}`)).toBe(
      '{"_meta":{"a":1 , "b":2}}',
    );
    expect(withoutEnvelope('nonsense')).toBe('nonsense');
    expect(withoutEnvelope('[1]')).toBe('[1]');
  });
});

describe('what may change something', () => {
  const tools = (...list: object[]) =>
    `{"jsonrpc":"2.0","id":1,"result":{"tools":${JSON.stringify(list)}}}`;
  const call = (name: string, extra = '') =>
    `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"${name}"${extra}}}`;

  function recorded(answer: string, ...bodies: string[]) {
    const log = new LogBuilder();
    log.opened();
    log.answer(log.request('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'), answer);
    for (const body of bodies)
      log.answer(log.request(body), '{"jsonrpc":"2.0","id":2,"result":{}}');
    const correlation = createCorrelation();
    correlation.apply(log.events);
    return correlation;
  }

  const reads = { name: 'reads', annotations: { readOnlyHint: true } };

  test('is known by the newest list of its server, and by no other', () => {
    const log = recorded(tools(reads, { name: 'writes' }, { name: 'odd', annotations: 7 }));
    const url = [...log.connections.values()][0]!.url;
    expect(isKnownReadOnly('reads', url, log)).toBe(true);
    expect(isKnownReadOnly('writes', url, log)).toBe(false);
    expect(isKnownReadOnly('odd', url, log)).toBe(false);
    expect(isKnownReadOnly('unheard', url, log)).toBe(false);
    expect(isKnownReadOnly('reads', 'http://elsewhere/', log)).toBe(false);
    const twice = recorded(tools(reads, { name: 'reads' }));
    expect(isKnownReadOnly('reads', url, twice)).toBe(false);
  });

  test('is asked about, with its arguments, in batches and in what is no JSON too', () => {
    const batch = `[${call('reads')}, ${call('pay', ',"arguments":{"sum":1.50}')}]`;
    const broken = '{"method":"tools/call",}';
    const log = recorded(tools(reads), call('reads'), batch, broken, '{"method":"ping",}');
    const sent = log.items.filter((item) => item.kind !== 'lifecycle' && item.httpId !== undefined);
    const asked = [...new Set(sent.map(({ httpId }) => httpId))].map((httpId) => {
      const plan = planExact(
        sent.find((item) => item.httpId === httpId),
        log,
        [summary()],
      );
      return plan.kind === 'exact' ? plan.asksFor : plan.reason;
    });
    expect(asked).toEqual([
      [],
      [],
      [{ tool: 'pay', argumentsText: '{"sum":1.50}' }],
      [{ tool: '', argumentsText: broken }],
      [],
    ]);
  });

  test('steps of an authorization are not replayed', () => {
    const log = recorded(tools());
    const record = [...log.https.values()][0]!;
    const token = { ...record, request: { ...record.request, purpose: 'token' as const } };
    expect(toExactRequest(token)).toMatchObject({ refused: expect.stringContaining('Log in') });
    const lifecycle = log.items.find(({ kind }) => kind === 'lifecycle');
    expect(planExact(lifecycle, log, [])).toMatchObject({ kind: 'refused' });
  });
});
