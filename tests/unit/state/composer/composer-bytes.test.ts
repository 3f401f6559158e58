import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Draft, RecordedDraft } from '../../../../lib/state/composer/composer-draft.ts';
import { createComposer } from '../../../../lib/state/composer/composer.ts';
import { fakeBackground, settled, summary } from '../fakes.ts';

/** A composer over one WebSocket; what it asks about is agreed to. */
function start() {
  const { background, calls } = fakeBackground();
  const composer = createComposer({
    background,
    connections: signal([summary({ transport: 'websocket' })]),
    source: createCorrelation,
    replay: { ask: ({ send }) => send() },
    sent: () => undefined,
  });
  return { composer, calls };
}

/** A request whose body is no text, as it was recorded. */
const recorded = (): RecordedDraft => ({
  mode: 'http',
  verb: 'POST',
  url: 'http://127.0.0.1:3001/mcp',
  recordedBody: { bytes: Uint8Array.of(0xff, 0) },
  origin: { sequence: 1, words: 'the request' },
});

const plain = (): Draft => ({ mode: 'text', text: 'plain' });

test('a recorded body that is no text is sent as it was until another one is written', async () => {
  const { composer, calls } = start();
  composer.fill(recorded());
  expect(composer.bytes.value?.bytes).toHaveLength(2);
  composer.send();
  await settled();
  expect(calls.at(-1)).toMatchObject(['sendRaw', { kind: 'http', base64: '/wA=' }, {}]);
  composer.dropBytes();
  expect(composer.bytes.value).toBeUndefined();
  composer.body.value = '{}';
  composer.send();
  await settled();
  expect(calls.at(-1)).toMatchObject(['sendRaw', { kind: 'http', base64: 'e30=' }, {}]);
});

test('a frame is sent as text or as bytes, by how it is written, and kept so', async () => {
  const { composer, calls } = start();
  composer.mode.value = 'text';
  composer.text.value = 'ff 0';
  composer.setFrame('hex');
  composer.text.value = 'ff 0';
  expect(composer.fault.value).toContain('Half of the last byte');
  composer.text.value = 'ff 00';
  expect(composer.problemsOf('ff 00')).toEqual([]);
  const kept = composer.draft();
  expect(kept).toMatchObject({ text: 'ff 00', frame: 'hex' });
  composer.send();
  await settled();
  expect(calls.at(-1)).toEqual([
    'sendRaw',
    { kind: 'binary', connectionId: 'c1', base64: '/wA=' },
    {},
  ]);
  composer.fill(plain());
  expect(composer.frame.value).toBe('text');
  composer.fill(kept);
  expect(composer.frame.value).toBe('hex');
});
