import { assert, property, json, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import { openSecrets } from '../../../../lib/capture/secrets.ts';
import { createRecorder } from '../../../../lib/capture/recorder.ts';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import { createPseudonyms } from '../../../../lib/redact/pseudonyms.ts';
import { compactJson } from '../../../../lib/state/copy/copy-compact.ts';
import { buildCopy, copyKinds, isItemHeld } from '../../../../lib/state/copy/copy-item.ts';
import type { CopyKind } from '../../../../lib/state/copy/copy-item.ts';
import { buildRowLine } from '../../../../lib/state/copy/copy-rows.ts';
import {
  joiningWriter,
  notingWriter,
  replacingWriter,
} from '../../../../lib/state/copy/copy-secrets.ts';
import { LogBuilder } from '../log-builder.ts';

const names = () => createPseudonyms(new Uint8Array(32).fill(1));
const TOKEN = 'r7Kx2mQ9vB4nT1zL8pWd';

/** A log as the recorder writes it, with its secrets cut out. */
async function record(write: (log: LogBuilder) => void) {
  const secrets = await openSecrets({ load: async () => undefined, save: () => undefined });
  secrets.register(TOKEN);
  const log = new LogBuilder();
  write(log);
  const events: WireEvent[] = [];
  const recorder = createRecorder({
    store: { append: async () => undefined },
    secrets,
    captureId: 'capture-1',
    bootId: 'boot-1',
    lastSequence: 0,
    committed: (batch) => void events.push(...batch),
  });
  for (const { connectionId, ...fact } of log.events) {
    recorder.record(fact, connectionId);
  }
  await recorder.flushed();
  const correlation = createCorrelation();
  correlation.apply(events);
  const held = (fingerprints: Iterable<string>) =>
    Object.fromEntries(
      [...fingerprints].flatMap((each) => {
        const value = secrets.reveal(each);
        return value === undefined ? [] : [[each, value]];
      }),
    );
  return { correlation, held };
}

async function callWithToken() {
  const request = `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"echo","arguments":{"a":"${TOKEN}"}}}`;
  const answer = `{"jsonrpc":"2.0","id":9007199254740993, "result": {"content":[],"n":1.0}}`;
  const recorded = await record((log) => {
    const httpId = log.request(request, [{ name: 'Authorization', value: `Bearer ${TOKEN}` }]);
    log.answer(httpId, answer);
  });
  const item = recorded.correlation.items[0];
  if (item === undefined) throw new Error('no item');
  return { ...recorded, item, request, answer };
}

function copy(kind: CopyKind, item: Item, source: Parameters<typeof buildCopy>[2]) {
  return buildCopy(kind, item, source, replacingWriter({ pseudonyms: names() })) ?? '';
}

describe('copies of a call', () => {
  test('are of every kind, and none holds the secret', async () => {
    const { item, correlation } = await callWithToken();
    const kinds = copyKinds(item, correlation);
    expect(kinds).toEqual([
      'message',
      'response',
      'result',
      'json-rpc',
      'curl',
      'fetch',
      'url',
      'row',
    ]);
    for (const kind of kinds) expect(copy(kind, item, correlation)).not.toContain(TOKEN);
    expect(buildRowLine(item, correlation, replacingWriter({ pseudonyms: names() }))).not.toContain(
      TOKEN,
    );
  });

  test('keep every character that is no secret', async () => {
    const { item, correlation, request, answer } = await callWithToken();
    const pseudonym = /redacted~tok~[0-9a-f]{10}/.exec(copy('message', item, correlation))?.[0];
    expect(copy('message', item, correlation)).toBe(request.replace(TOKEN, pseudonym ?? ''));
    expect(copy('response', item, correlation)).toBe(answer);
    expect(copy('result', item, correlation)).toBe('{"content":[],"n":1.0}');
    expect(copy('json-rpc', item, correlation)).toBe(
      `${request.replace(TOKEN, pseudonym ?? '')}\n${answer.replaceAll(' ', '')}`,
    );
    // One secret has one name, in the header as in the body.
    expect(copy('curl', item, correlation)).toContain(`'Authorization: Bearer ${pseudonym}'`);
  });

  test('with secrets are what was sent', async () => {
    const { item, correlation, held, request } = await callWithToken();
    const wanted = new Set<string>();
    for (const kind of copyKinds(item, correlation)) {
      buildCopy(kind, item, correlation, notingWriter(wanted));
    }
    expect(wanted.size).toBe(1);
    const writer = joiningWriter(held(wanted), names());
    expect(buildCopy('message', item, correlation, writer)).toBe(request);
    const curl = buildCopy('curl', item, correlation, writer);
    expect(curl).toContain(`'Authorization: Bearer ${TOKEN}'`);
    expect(curl).toContain(`--data-raw '${request}'`);
  });

  test('have a pseudonym where a secret is no longer held', async () => {
    const { item, correlation, request } = await callWithToken();
    const written = buildCopy('message', item, correlation, joiningWriter({}, names())) ?? '';
    expect(written.replace(/redacted~tok~[0-9a-f]{10}/, TOKEN)).toBe(request);
  });
});

test('an error is the result of a call that has none, and text that is no response stays whole', async () => {
  const { correlation } = await record((log) => {
    const httpId = log.request('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    log.answer(httpId, '{"jsonrpc":"2.0","id":1,"error":{"code":-1, "message":"no"}}');
  });
  const [item] = correlation.items;
  expect(item && copy('result', item, correlation)).toBe('{"code":-1, "message":"no"}');
});

test('a form keeps its names', async () => {
  const { correlation } = await record((log) => {
    log.add({
      kind: 'http-request',
      httpId: 'h1',
      purpose: 'token',
      method: 'POST',
      url: { text: 'http://127.0.0.1:3001/token?state=abc' },
      headers: [{ name: 'Content-Type', value: 'application/x-www-form-urlencoded' }],
      body: { bytes: new TextEncoder().encode('grant_type=x&client_secret=hush&scope=a+b') },
      links: {},
    });
  });
  const [item] = correlation.items;
  const curl = item === undefined ? '' : copy('curl', item, correlation);
  expect(curl).toMatch(/'grant_type=x&client_secret=redacted~client-secret~\w{10}&scope=a\+b'/);
  expect(curl).toMatch(/token\?state=redacted~state~/);
});

test('what came in has no request of its own, what happened has only words', async () => {
  const { correlation } = await record((log) => {
    log.opened();
    const httpId = log.stream();
    log.head(httpId, 200, 'text/event-stream');
    log.sseEvent(httpId, 0, '{"jsonrpc":"2.0","method":"notifications/x"}');
  });
  const kinds = correlation.items.map((item) => [item.kind, copyKinds(item, correlation)]);
  expect(kinds).toEqual([
    ['lifecycle', ['row']],
    ['stream', ['curl', 'fetch', 'url', 'row']],
    ['notification', ['message', 'json-rpc', 'url', 'row']],
  ]);
});

test('a row is one line of JSON, with messages as they are or as text', async () => {
  const { correlation } = await record((log) => {
    const first = log.request('{"jsonrpc":"2.0",\n "id":9007199254740993,"method":"ping"}');
    log.wait(41).answer(first, '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}');
    const second = log.request('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    log.answer(second, 'not\njson');
  });
  const lines = correlation.items.map((item) =>
    buildRowLine(item, correlation, replacingWriter({ pseudonyms: names() })),
  );
  expect(lines.join('')).not.toContain('\n');
  expect(lines[0]).toContain('"message":{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    kind: 'request',
    direction: 'outgoing',
    name: 'ping',
    status: '200',
    connection: 'c1',
    response: { result: {} },
  });
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
});

test('bytes that are on disk only are asked for', async () => {
  const { item, correlation } = await callWithToken();
  const [chunk] = correlation.https.get(item.httpId ?? '')?.chunks ?? [];
  if (chunk === undefined) throw new Error('no chunk');
  const { bytes } = chunk.data;
  let asked = 0;
  chunk.data = {
    awayBytes: bytes.length,
    get bytes() {
      asked += 1;
      return new Uint8Array();
    },
  };
  expect(isItemHeld(item, correlation)).toBe(false);
  expect(asked).toBeGreaterThan(0);
  chunk.data = { bytes };
  expect(isItemHeld(item, correlation)).toBe(true);
});

describe('JSON on one line', () => {
  test('is the same value, and every token stays to the letter', () => {
    assert(
      property(json(), (text) => {
        const pretty = JSON.stringify(JSON.parse(text), null, 3);
        expect(compactJson(pretty)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
    expect(compactJson('\uFEFF{ "a" : 1.50 , "b\\" :" : "c \\\\" }')).toBe(
      '{"a":1.50,"b\\" :":"c \\\\"}',
    );
  });

  test('is one line whatever the text', () => {
    assert(property(string(), (text) => !/[\r\n]/.test(compactJson(text))));
  });
});
