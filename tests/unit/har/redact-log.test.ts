import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { StoredBytes } from '../../../lib/capture/store/stored-text.ts';
import type { EventOf, WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';
import type { HarHead } from '../../../lib/har/har-format.ts';
import { redactLog, type RedactOptions } from '../../../lib/har/redact/redact-log.ts';
import { surveySecrets } from '../../../lib/har/redact/survey-secrets.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { writeHar, type HarLog } from '../../../lib/har/write/write-har.ts';
import { LogBuilder, wireEvent } from '../../support/builders.ts';

const utf8 = new TextEncoder();
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
/** One of every class, each only where its kind is found, and once more where only its value tells. */
const SECRETS = {
  bearer: 'opaque-access-token-1',
  session: 'session-id-0123456789',
  cookie: 'cookie-value-123456',
  apiKey: 'api-key-value-123456',
  query: 'query-token-123456',
  userinfo: 'user:pass-word-1',
  refresh: 'rt-opaque-0123456789',
  code: 'auth-code-9f8e7d',
  verifier: 'verifier-verifier-1',
  clientSecret: 'client-secret-12345',
  password: 'hunter2',
  jwt: JWT,
  prefixed: 'ghp_0123456789abcdefABCDEF',
  frame: 'frame-token-value-1',
  split: 'split-over-chunks-1',
};

function aLog(): WireEvent[] {
  const log = new LogBuilder();
  log.opened();
  const call = log.request(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { password: SECRETS.password, state: 'ordinary word', code: 7 },
    },
    {
      url: `https://${SECRETS.userinfo}@example.com/mcp?access_token=${SECRETS.query}&page=2`,
      headers: [
        { name: 'Authorization', value: `Bearer ${SECRETS.bearer}` },
        { name: 'Mcp-Session-Id', value: SECRETS.session },
        { name: 'Cookie', value: `sid=${SECRETS.cookie}; theme=dark` },
        { name: 'X-Api-Key', value: SECRETS.apiKey },
      ],
    },
  );
  log.head(call, 200, 'text/event-stream');
  log.sse(
    call,
    `data: {"jsonrpc":"2.0","id":1,"result":{"text":"you are ${SECRETS.bearer} and ${JWT}"`,
  );
  log.sse(call, `,"access_token":"${SECRETS.split.slice(0, 5)}`);
  log.sse(call, `${SECRETS.split.slice(5)}"}}\n\n`);
  log.end(call);
  const token = log.request(
    `grant_type=authorization_code&code=${SECRETS.code}&code_verifier=${SECRETS.verifier}&client_secret=${SECRETS.clientSecret}`,
    { purpose: 'token', url: 'https://as.example.com/token' },
  );
  log.answer(token, { refresh_token: SECRETS.refresh, expires_in: 3600 });
  const plain = log.call('2', 'tools/call', {
    note: `see ${SECRETS.prefixed} and ${encodeURIComponent(SECRETS.userinfo)}`,
  });
  log.answer(plain, {
    jsonrpc: '2.0',
    id: 2,
    error: { code: -1, message: `refused ${SECRETS.refresh}` },
  });
  log.add({
    kind: 'socket-opening',
    socketId: 's1',
    url: { text: 'wss://example.com/' },
    subprotocols: ['mcp'],
  });
  log.add({
    kind: 'socket-frame',
    socketId: 's1',
    direction: 'incoming',
    opcode: 'text',
    data: {
      bytes: utf8.encode(
        JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { api_key: SECRETS.frame } }),
      ),
    },
  });
  log.add({
    kind: 'connection-failed',
    problem: { code: 'internal', message: `At ${SECRETS.apiKey}` },
  });
  return log.events;
}

async function redacted(events: readonly WireEvent[], options?: RedactOptions, head?: HarHead) {
  const log: HarLog = {
    name: 'x',
    events,
    load: (some) => Promise.resolve(some),
    ...(head && { head }),
  };
  return redactLog(log, await surveySecrets(log, options), options);
}

async function exported(events: readonly WireEvent[], options?: RedactOptions, head?: HarHead) {
  const log = await redacted(events, options, head);
  let text = '';
  for await (const piece of writeHar(log, { creator: { name: 'Wirescope', version: '0' } })) {
    log.check(piece);
    text += piece;
  }
  return { text, counts: log.redaction.counts };
}

async function readBack(text: string) {
  const bytes = (async function* () {
    yield utf8.encode(text);
  })();
  const read = await readHar({ bytes, attached: new Map() }, { captureId: 'x' });
  expect(read.repairs).toEqual([]);
  return read;
}

function meaning(events: readonly WireEvent[]) {
  const correlation = createCorrelation();
  correlation.apply(events);
  return correlation.items.map((item) => [
    item.kind,
    'method' in item ? item.method : '',
    'outcome' in item ? item.outcome : '',
    'rpcId' in item ? item.rpcId : '',
  ]);
}

describe('an export without secrets', () => {
  test('holds none of any class in any place', async () => {
    const { text, counts } = await exported(aLog());
    for (const [name, secret] of Object.entries(SECRETS)) {
      expect([name, text.includes(secret)]).toEqual([name, false]);
      expect([name, text.includes(encodeURIComponent(secret))]).toEqual([name, false]);
    }
    expect(text).not.toContain(btoa(SECRETS.bearer).slice(0, 12));
    expect(counts).toMatchObject({ sid: 1, cookie: 2, userinfo: 1, jwt: 1 });
  });

  test('means what it meant', async () => {
    const events = aLog();
    const { text } = await exported(events);
    expect(meaning((await readBack(text)).events)).toEqual(meaning(events));
    // Ordinary words of tools are no secrets, and what is no secret is untouched.
    expect(text).toContain('ordinary word');
    expect(text).toContain('&page=2');
  });

  test('is the same when it is exported again', async () => {
    const { text } = await exported(aLog());
    const { events, head } = await readBack(text);
    const again = await exported(events, { isImported: true }, head);
    expect(again.text).toBe(text);
  });

  test('is not written where something was missed', async () => {
    const log = await redacted(aLog());
    expect(() => log.check(`"title":"${SECRETS.session}"`)).toThrow('was not written');
    // By its value above, by its looks alone here.
    expect(() => log.check('"title":"ghp_9876543210zyxwvuZYXWVU"')).toThrow('was not written');
    expect(() => log.check('"title":"an ordinary word"')).not.toThrow();
  });
});

test('the fingerprints of tokens in a chain of authorization go with those of the headers', async () => {
  const cuts = [{ offset: 7, length: 4, secret: 'a91c', from: 0 }];
  const url = { text: 'https://c.example/?code=****', cuts: [{ ...cuts[0]!, offset: 24 }] };
  const events = [
    wireEvent(1, {
      kind: 'http-request',
      httpId: 'h1',
      purpose: 'message',
      method: 'POST',
      url: { text: 'https://mcp.example.com/mcp' },
      headers: [{ name: 'Authorization', value: 'Bearer ****', cuts }],
      links: {},
    }),
    wireEvent(2, {
      kind: 'auth-challenged',
      httpId: 'h1',
      chain: 'a',
      reason: 'authorization',
      secret: 'a91c',
    }),
    wireEvent(3, { kind: 'auth-consent', chain: 'a', step: 1, state: 'received', url }),
  ];
  const log = await redacted(events);
  const [request, challenged, consent] = await log.load(events);
  const secret = (challenged as { secret?: string }).secret;
  expect(secret).toMatch(/^[0-9a-f]{10}$/);
  expect(request).toMatchObject({ headers: [{ cuts: [{ secret, offset: 7, length: 4 }] }] });
  expect(consent).toMatchObject({ url: { cuts: [{ secret, offset: 24, length: 4 }] } });
  // What a file says that was read is not named anew.
  const imported = await redacted(events, { isImported: true });
  expect(await imported.load(events)).toEqual(events);
});

describe('what stands together with a secret', () => {
  /** The body of a request after it was redacted. */
  async function redactedBody(text: string, cuts?: StoredBytes['cuts']) {
    const fact: WireFact = {
      kind: 'http-request',
      httpId: 'h1',
      purpose: 'message',
      method: 'POST',
      url: { text: 'https://mcp.example.com/mcp' },
      headers: [],
      body: { bytes: utf8.encode(text), ...(cuts && { cuts }) },
      links: {},
    };
    const events = [wireEvent(1, fact)];
    const [event] = await (await redacted(events)).load(events);
    const { body } = event as EventOf<'http-request'>;
    return { text: new TextDecoder().decode(body?.bytes), cuts: body?.cuts ?? [] };
  }

  test('a number that is secret in one place is not hidden in all others', async () => {
    const { text } = await redactedBody('{"password":471147114711,"count":471147114711}');
    expect(text).toMatch(/^\{"password":(?!4711)\d{12},"count":471147114711\}$/);
  });

  test('a secret around what was masked when it was recorded is cut once, and keeps its length', async () => {
    const given = '{"password":"my-********-pw"}';
    const { text, cuts } = await redactedBody(given, [
      { offset: given.indexOf('*'), length: 8, secret: 'a91c', from: 0 },
    ]);
    expect(text).toHaveLength(given.length);
    expect(Object.keys(JSON.parse(text))).toEqual(['password']);
    expect(cuts).toHaveLength(1);
  });
});
