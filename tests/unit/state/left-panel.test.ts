import { expect, test } from 'vitest';
import type { AppModelParts } from '../../../lib/state/app-model-parts.ts';
import { draftOf } from '../../../lib/state/answers/answer-drafts.ts';
import { composerDeskOf } from '../../../lib/state/composer/composer-desk.ts';
import { describePanel, resumePanel } from '../../../lib/state/left-panel.ts';
import { summary } from './fakes.ts';
import { LogBuilder } from './log-builder.ts';
import { startAppModel } from './start-app-model.ts';

const WHOLE = { kind: 'live' } as const;

/** A panel over four requests, one second apart. */
function start(parts: Partial<AppModelParts> = {}) {
  const panel = startAppModel(parts);
  const log = new LogBuilder();
  for (let id = 1; id <= 4; id += 1) {
    log.request(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
  }
  for (const [index, event] of log.events.entries()) event.wallTime = 1000 * index;
  panel.feed.events(log.take());
  panel.draw();
  panel.feed.status(WHOLE);
  return panel.model;
}

test('a panel in the place of another one looks the same', async () => {
  const left = start();
  left.traffic.filter.text.value = 'ping';
  left.traffic.clear(1500);
  const last = left.recorded.items.at(-1)!;
  left.selection.openAt(last, 'timing');
  left.search.isOpen.value = true;
  left.form.url.value = 'http://127.0.0.1/mcp';
  composerDeskOf(left).composer.paramsText.value = '{"half": ';
  left.composer.isOpen.value = true;
  const kept: ReturnType<typeof describePanel> = JSON.parse(JSON.stringify(describePanel(left)));

  const next = start();
  await resumePanel(next, kept);
  expect(next.traffic.hidden.value).toBe(left.traffic.hidden.value);
  expect(next.traffic.hidden.value).toBeGreaterThan(0);
  expect(next.selection.item.value?.key).toBe(last.key);
  expect([next.selection.isOpen.value, next.selection.tab.value]).toEqual([true, 'timing']);
  expect(composerDeskOf(next).composer.paramsText.value).toBe('{"half": ');
  expect(JSON.parse(JSON.stringify(describePanel(next)))).toEqual(kept);
});

test('a stored capture is shown again, at its row', async () => {
  const shown: unknown[] = [];
  const captures = {
    showCapture: (...given: unknown[]) => void shown.push(given),
    openCapture: () => undefined,
    loadFiles: () => Promise.reject(new Error('no files')),
    loadShelf: () => Promise.reject(new Error('no shelf')),
  };
  const next = start({ captures });
  const left = { view: '{}', isSearching: false, isComposing: false, url: '' };
  await resumePanel(next, { ...left, captureId: 'old', row: 'a', tab: 'headers' });
  expect(shown).toEqual([['old', { row: 'a', tab: 'headers' }]]);
});

test('what was typed as an answer is there again when its question is', async () => {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const asked = (rpcId: string, method: string, params: object = {}) => ({
    rpcId,
    method,
    params,
    since: 5,
  });
  const questions = [
    asked('1', 'elicitation/create', { message: 'Who?', requestedSchema }),
    asked('2', 'sampling/createMessage'),
    asked('3', 'sampling/createMessage'),
    asked('4', 'roots/list'),
    asked('5', 'sampling/createMessage'),
  ];
  const left = startAppModel();
  left.feed.connections([summary({ questions })]);
  const [form, reply, json, roots, secret] = left.model.questions.open.value.map(draftOf);
  if (form?.kind === 'form') form.form.set(['name'], '"Ada"');
  if (reply?.kind === 'sampling') reply.reply.value = 'Hello';
  if (json?.kind === 'sampling') json.json.toggle();
  if (json?.kind === 'sampling') json.json.text.value = '{"role": ';
  if (roots?.kind === 'roots') roots.text.value = '[]';
  if (secret?.kind === 'sampling') {
    secret.reply.value = 'use sk-live-0123456789abcdef0123456789abcdef';
  }
  const kept = JSON.parse(JSON.stringify(describePanel(left.model)));

  const next = startAppModel();
  await resumePanel(next.model, kept);
  next.feed.connections([summary({ questions })]);
  const drafts = next.model.questions.open.value.map(draftOf);
  expect(drafts[0]?.toAnswer()).toEqual(form?.toAnswer());
  expect(drafts.slice(1)).toMatchObject([
    { reply: { value: 'Hello' }, json: { isOn: { value: false } } },
    { json: { isOn: { value: true }, text: { value: '{"role": ' } } },
    { text: { value: '[]' } },
    { reply: { value: '' } },
  ]);
});

test('nothing that looks like a secret is left', () => {
  const model = start();
  model.form.url.value = 'http://127.0.0.1/mcp?api_key=sk-live-0123456789abcdef0123456789abcdef';
  const { composer } = composerDeskOf(model);
  composer.headers.value = [{ name: 'Authorization', value: 'Bearer not-a-real-token-1' }];
  const text = JSON.stringify(describePanel(model));
  expect(text).not.toContain('sk-live');
  expect(text).not.toContain('not-a-real-token');
});
