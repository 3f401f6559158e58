import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { redactLog, type RedactOptions } from '../../../lib/har/redact/redact-log.ts';
import { surveySecrets } from '../../../lib/har/redact/survey-secrets.ts';
import { writeHar, type HarLog } from '../../../lib/har/write/write-har.ts';
import { isPlainWord } from '../../../lib/redact/plain-words.ts';
import { toSecretRules } from '../../../lib/redact/rules.ts';
import { LogBuilder } from '../../support/builders.ts';
import { ORDINARY, SECRETS, seededLog } from './seeded-log.ts';

const utf8 = new TextEncoder();

async function exported(events: readonly WireEvent[], options: RedactOptions = {}, name = 'x') {
  const log: HarLog = { name, events, load: (some) => Promise.resolve(some) };
  const redacted = redactLog(log, await surveySecrets(log, options), options);
  let text = '';
  for await (const piece of writeHar(redacted, { creator: { name: 'Wirescope', version: '0' } })) {
    redacted.check(piece);
    text += piece;
  }
  return { text, redaction: redacted.redaction };
}

async function readBack(text: string): Promise<WireEvent[]> {
  const bytes = (async function* () {
    yield utf8.encode(text);
  })();
  const { events, repairs } = await readHar({ bytes, attached: new Map() }, { captureId: 'x' });
  expect(repairs).toEqual([]);
  return events;
}

/** All that correlation makes of a log, but for the texts. */
function meaning(events: readonly WireEvent[]) {
  const correlation = createCorrelation();
  correlation.apply(events);
  return correlation.items.map((item) => [
    item.kind,
    'method' in item ? item.method : '',
    'outcome' in item ? item.outcome : '',
    'response' in item ? item.response : '',
    'related' in item ? item.related : '',
    item.httpId ?? item.socketId,
  ]);
}

/** Everything that a reader could make out of a file: what is in base64 too. */
function readable(text: string): string[] {
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{12,}={0,2}/g)].flatMap(([part]) =>
    [0, 1, 2, 3].map((skip) => {
      const cut = part.slice(skip).replaceAll('=', '');
      return Buffer.from(cut, 'base64').toString('utf8');
    }),
  );
  return [text, ...decoded];
}

function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    Buffer.from(secret).toString('hex'),
    new URLSearchParams({ a: secret }).toString().slice(2),
  ];
}

/** Distinct pieces that are long enough to be of use. */
function traces(secret: string): string[] {
  return spellings(secret).filter((text) => text.length >= 8);
}

describe('C201: secrets of every class in every place', () => {
  test('are in no export', async () => {
    const { text } = await exported(seededLog(), {}, `about ${SECRETS.bearer}`);
    const texts = readable(text);
    for (const [name, secret] of Object.entries(SECRETS)) {
      const left = texts.find((each) => traces(secret).some((trace) => each.includes(trace)));
      expect([name, left?.slice(0, 200)]).toEqual([name, undefined]);
    }
    for (const word of ORDINARY.slice(0, 3)) expect(text).toContain(word);
  });

  test('leave correlation as it was', async () => {
    const events = seededLog();
    const { text } = await exported(events);
    expect(meaning(await readBack(text))).toEqual(meaning(events));
  });

  test('are counted by class, and JWTs say what gives nothing away', async () => {
    const { text, redaction } = await exported(seededLog());
    const { log } = JSON.parse(text);
    expect(log._mcp.redaction).toEqual(redaction);
    expect(log.comment).toMatch(/^Secrets are replaced by pseudonyms of this file: \d+ values\.$/);
    expect(redaction.counts).toMatchObject({ sid: 2, jwt: 1, csrf: 1, userinfo: 1 });
    expect(Object.values(redaction.jwt ?? {})).toEqual([
      { alg: 'HS256', iss: 'https://as.example.com', aud: 'mcp', exp: 1, scopes: 2 },
    ]);
  });

  test('have one pseudonym each in a file, and another in the next', async () => {
    const names = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const { text } = await exported(seededLog());
      const [found] = JSON.parse(text).log.entries[0].request.headers;
      const name = /~[0-9a-f]{10}/.exec(found.value)?.[0] ?? 'none';
      names.push(name);
      expect(text.split(name).length).toBeGreaterThan(20);
    }
    expect(names[0]).not.toBe(names[1]);
  });

  test('stay where that is wanted, and nothing else with them', async () => {
    const kept = new Set<string>([SECRETS.session]);
    const { text, redaction } = await exported(seededLog(), { kept });
    expect(text).toContain(SECRETS.session);
    expect(text).not.toContain(SECRETS.bearer);
    expect(redaction.kept).toBe(1);
  });
});

test('rules of the user’s own find names, texts and patterns', async () => {
  const rules = toSecretRules([
    { kind: 'name', text: 'X-Tenant' },
    { kind: 'name', text: 'customer' },
    { kind: 'text', text: 'Project Nightfall' },
    { kind: 'pattern', text: 'ACC-\\d{6}' },
    { kind: 'pattern', text: '(' },
  ]);
  const log = new LogBuilder();
  const call = log.request(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { customer: 'Ada', at: 'ACC-123456' } },
    { headers: [{ name: 'X-Tenant', value: 'tenant-of-ours' }] },
  );
  log.answer(call, {
    jsonrpc: '2.0',
    id: 1,
    result: { text: 'Project Nightfall, tenant-of-ours' },
  });
  const { text, redaction } = await exported(log.events, { rules });
  for (const gone of ['Ada', 'ACC-123456', 'tenant-of-ours', 'Nightfall']) {
    expect(text).not.toContain(gone);
  }
  expect(redaction.counts).toEqual({ own: 4 });
});

test('a value that is an ordinary word is hidden where its name stands only', async () => {
  const log = new LogBuilder();
  log.opened();
  const call = log.call('1', 'tools/call', { password: 'tools/call', token: 'websocket' });
  log.answer(call, { jsonrpc: '2.0', id: 1, result: {} });
  const { text } = await exported(log.events);
  expect(meaning(await readBack(text))).toEqual(meaning(log.events));
  expect(text).not.toContain(String.raw`\"password\":\"tools/call\"`);
});

test('secrets in lists, as numbers, and in paths are hidden, and everything means what it meant', async () => {
  const session = 'x4Kd82mQ9vB4nT1zL8pWd';
  const key = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const url = `http://127.0.0.1:1/s/${key}/messages/${session}`;
  const inner = JSON.stringify({ password: ['hunter two', 'so "quoted" one'], secret: 424242 });
  const log = new LogBuilder();
  log.opened(`http://127.0.0.1:1/s/${key}/mcp`);
  const call = log.request(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'x',
        arguments: { apiKey: ['list-of-keys-1'], password: 31_415_926, token: 12, inner },
      },
    },
    { url },
  );
  log.answer(call, {
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: `list-of-keys-1 at /messages/${session}` }] },
  });
  const { text, redaction } = await exported(log.events);
  const secrets = ['hunter two', 'quoted', 'list-of-keys-1', '31415926', '424242', session, key];
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).toContain(String.raw`\"token\":12,`);
  expect(redaction.counts).toEqual({ 'api-key': 1, number: 2, password: 2, path: 2 });
  const back = await readBack(text);
  expect(meaning(back)).toEqual(meaning(log.events));
  // What is hidden is not hidden again.
  const survey = await surveySecrets({
    name: 'x',
    events: back,
    load: (some) => Promise.resolve(some),
  });
  expect([...survey.found]).toEqual([]);
});

test('a value that is also a name is hidden where it is a value, and the file is written', async () => {
  const log = new LogBuilder();
  const headers = [
    { name: 'X-Internal-Secret', value: 'x-internal-secret' },
    { name: 'Cookie', value: 'theme=startedDateTime' },
    // Files of other tools may say anything.
    { name: 'ws://a/?token=abcdefghijkl', value: '' },
  ];
  const params = { password: 'queryString', at: 'ws://a/?token=abcdefghijkl' };
  log.answer(log.call('1', 'tools/call', params, { headers }), {
    jsonrpc: '2.0',
    id: 1,
    result: {},
  });
  const { text } = await exported(log.events);
  expect(text).toContain('"X-Internal-Secret"');
  for (const hidden of [
    'abcdefghijkl',
    '"x-internal-secret"',
    'theme=started',
    String.raw`\"queryString\"`,
  ]) {
    expect(text).not.toContain(hidden);
  }
});

describe('structure only', () => {
  test('leaves no contents, and the structure whole', async () => {
    const log = new LogBuilder();
    log.opened();
    const call = log.call('"an id"', 'tools/call', {
      name: 'get_weather',
      arguments: { name: 'Ada Lovelace', city: 'Zürich', deep: { list: ['one', 2] } },
      _meta: { progressToken: 'p1' },
    });
    log.head(call, 200, 'text/event-stream');
    log.message(call, {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p1', progress: 1, message: 'half way' },
    });
    log.message(call, {
      jsonrpc: '2.0',
      id: 'an id',
      result: { content: [{ type: 'text', text: 'It rains.' }] },
    });
    log.end(call);
    const page = log.request(undefined, { method: 'GET', purpose: 'probe' });
    log.answer(page, '<html>something private</html>', 200, 'text/html');
    const { text, redaction } = await exported(log.events, { profile: 'structure-only' });
    expect(redaction.profile).toBe('structure-only');
    for (const gone of ['Lovelace', 'rich', 'half way', 'rains', 'private', 'one\\"']) {
      expect(text).not.toContain(gone);
    }
    for (const left of ['get_weather', 'an id', 'p1', 'notifications/progress', 'arguments']) {
      expect(text).toContain(left);
    }
    expect(meaning(await readBack(text))).toEqual(meaning(log.events));
  });
});

test('no secret survives in any spelling, whatever it is', async () => {
  const secret = fc
    .string({ unit: 'binary', minLength: 8, maxLength: 40 })
    .filter((text) => text.isWellFormed() && !/^\**$/.test(text) && !isPlainWord(text));
  await fc.assert(
    fc.asyncProperty(secret, async (value) => {
      const log = new LogBuilder();
      const call = log.call('1', 'tools/call', {
        password: value,
        again: `see ${value}`,
        url: encodeURIComponent(value),
        nested: JSON.stringify({ text: value }),
      });
      log.answer(call, { jsonrpc: '2.0', id: 1, result: { text: `${value}!` } });
      const { text } = await exported(log.events);
      const [entry] = JSON.parse(text).log.entries;
      const { params } = JSON.parse(entry.request.postData.text);
      const { result } = JSON.parse(entry.response.content.text);
      for (const each of [params.password, params.again, result.text, params.url]) {
        expect(each).not.toContain(value);
        expect(decodeURIComponent(each)).not.toContain(value);
      }
      expect(JSON.parse(params.nested).text).not.toContain(value);
    }),
    { numRuns: 60 },
  );
});
