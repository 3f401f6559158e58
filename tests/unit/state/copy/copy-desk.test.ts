import { expect, test } from 'vitest';
import type { HeldBytes } from '../../../../lib/capture/correlate/held-bytes.ts';
import { copyKinds } from '../../../../lib/state/copy/copy-item.ts';
import { copyDeskOf } from '../../../../lib/state/copy/copy-desk.ts';
import { SECRETS, seededLog } from '../../har/seeded-log.ts';
import { settled } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';
import { startAppModel } from '../start-app-model.ts';

const FINGERPRINT = 'a91c';
const SECRET = 'hush-hush';
const MASK = '*'.repeat(SECRET.length);

/** A panel over a log, with a clipboard that notes what is put on it. */
async function startPanel(log: LogBuilder, values: Record<string, string> = {}) {
  let restore: () => void = () => undefined;
  const held: HeldBytes = {
    keep: () => undefined,
    peek: async () => new Map(),
    onRestored: (listener) => {
      restore = listener;
    },
  };
  const { model, feed, draw } = startAppModel({ held }, { reveal: async () => values });
  feed.events(log.take());
  draw();
  const clipboard: string[] = [];
  let isRefused = false;
  const copies = copyDeskOf(model, async (text) => {
    if (!isRefused) clipboard.push(text);
    return !isRefused;
  });
  return {
    model,
    copies,
    clipboard,
    said: () => model.desk.said.value,
    refuse: () => (isRefused = true),
    restore: () => restore(),
  };
}

/** A call whose Authorization header was masked. */
function callWithSecret(): LogBuilder {
  const log = new LogBuilder();
  const cuts = [{ offset: 7, length: MASK.length, secret: FINGERPRINT, from: 0 }];
  const httpId = log.request('{"jsonrpc":"2.0","id":1,"method":"ping"}', [
    { name: 'Authorization', value: `Bearer ${MASK}`, cuts },
  ]);
  return log.answer(httpId, '{"jsonrpc":"2.0","id":1,"result":{}}');
}

test('a copy says what was replaced, and offers itself once more with the secrets', async () => {
  const { model, copies, clipboard, said } = await startPanel(callWithSecret(), {
    [FINGERPRINT]: SECRET,
  });
  const item = model.traffic.itemAt(0);
  if (item === undefined) throw new Error('no row');
  expect(copies.kindsWithSecrets(item)).toEqual(['curl', 'fetch']);

  await copies.copy('curl', item);
  expect(clipboard[0]).toMatch(/Bearer redacted~tok~[0-9a-f]{10}'/);
  expect(said()?.words).toBe('Copied as cURL, 1 secret replaced.');
  said()?.action?.run();
  await expect.poll(() => clipboard.length).toBe(2);
  expect(clipboard[1]).toContain(`Bearer ${SECRET}'`);
  expect(said()).toEqual({ words: 'Copied as cURL with its secrets.' });

  await copies.copy('message', item);
  expect(said()).toEqual({ words: 'Copied the message.' });
});

test('a secret that is no longer held is missed, and the same one has one pseudonym', async () => {
  const { model, copies, clipboard, said } = await startPanel(callWithSecret());
  const item = model.traffic.itemAt(0);
  if (item === undefined) throw new Error('no row');
  await copies.copyWithSecrets('curl', item);
  expect(said()?.words).toBe('Copied as cURL with its secrets, but 1 secret no longer held.');
  await copies.copy('curl', item);
  expect(clipboard[0]).toBe(clipboard[1]);
});

test('a clipboard that refuses is told of', async () => {
  const { model, copies, said, refuse } = await startPanel(callWithSecret());
  const item = model.traffic.itemAt(0);
  refuse();
  if (item !== undefined) await copies.copy('url', item);
  expect(said()).toEqual({ words: 'Copying was refused.' });
});

test('all rows shown are copied in their order, and no others', async () => {
  const log = new LogBuilder();
  for (let id = 1; id <= 500; id += 1) {
    log.wait(1).request(`{"jsonrpc":"2.0","id":${id},"method":"${id % 2 === 0 ? 'a' : 'b'}"}`);
  }
  const { model, copies, clipboard, said } = await startPanel(log);
  model.traffic.filter.text.value = 'method:a';
  await expect.poll(() => model.traffic.count.value).toBe(250);
  await copies.copyShown();
  expect(said()?.words).toBe('Copied 250 rows as JSON lines.');
  const ids = (clipboard[0] ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).message.id);
  expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => (index + 1) * 2));
});

test('a copy waits for bytes that are on disk only', async () => {
  const { model, copies, clipboard, restore } = await startPanel(callWithSecret());
  const item = model.traffic.itemAt(0);
  const [chunk] = model.correlation.https.get(item?.httpId ?? '')?.chunks ?? [];
  if (item === undefined || chunk === undefined) throw new Error('no row');
  const { data } = chunk;
  chunk.data = { awayBytes: data.bytes.length, bytes: new Uint8Array() };
  const copied = copies.copy('response', item);
  await settled();
  expect(clipboard).toEqual([]);
  chunk.data = data;
  restore();
  await copied;
  expect(clipboard).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
});

test('C201: what one message of a copy gives away is in none of them, nor what a rule of the user’s own finds', async () => {
  const log = new LogBuilder();
  const httpId = log.request(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_in","arguments":{"password":"hunter2-hunter2","at":"ACC-123456"}}}',
  );
  log.answer(httpId, '{"jsonrpc":"2.0","id":1,"result":{"text":"you said hunter2-hunter2"}}');
  const { model, copies, clipboard } = await startPanel(log);
  const item = model.traffic.itemAt(0);
  if (item === undefined) throw new Error('no row');
  await copies.copy('json-rpc', item);
  await copies.copy('response', item);
  await copies.copyShown();
  expect(clipboard).toHaveLength(3);
  for (const text of clipboard) expect(text).not.toContain('hunter2');
  expect(clipboard[0]).toContain('"at":"ACC-123456"');
  expect(clipboard[1]).toMatch(/you said redacted~password~[0-9a-f]{10}/);
});

test('C201: what the heads of a capture give away is in no copy of any row', async () => {
  const { model, feed, draw } = startAppModel();
  feed.events(seededLog());
  draw();
  const clipboard: string[] = [];
  const copies = copyDeskOf(model, async (text) => clipboard.push(text) > 0);
  await copies.copyShown();
  for (let index = 0; index < model.traffic.count.value; index += 1) {
    const item = model.traffic.itemAt(index);
    if (item === undefined) continue;
    for (const kind of copyKinds(item, model.correlation)) await copies.copy(kind, item);
  }
  expect(clipboard.length).toBeGreaterThan(100);
  const inHeads: (keyof typeof SECRETS)[] = [
    'bearer',
    'proxy',
    'basic',
    'cookie',
    'session',
    'apiKey',
    'contained',
    'csrf',
    'query',
    'code',
    'verifier',
    'clientSecret',
    'refresh',
    'registration',
    'deviceCode',
    'jwt',
    'prefixed',
    'setCookie',
  ];
  for (const name of inHeads) {
    const secret = SECRETS[name];
    const left = clipboard.find((text) =>
      [secret, encodeURIComponent(secret), btoa(secret)].some((spelt) => text.includes(spelt)),
    );
    expect([name, left?.slice(0, 300)]).toEqual([name, undefined]);
  }
});
