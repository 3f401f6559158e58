import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import type { RequestItem } from '../../../../lib/capture/correlate/items.ts';
import type { ServerQuestion } from '../../../../lib/port/contract.ts';
import {
  createAnswerDraft,
  draftOf as draftOfQuestion,
} from '../../../../lib/state/answers/answer-drafts.ts';
import type { AnswerDraft } from '../../../../lib/state/answers/answer-drafts.ts';
import {
  toAskerWords,
  toRefusalWords,
  toSaidLines,
  toSamplingWishes,
  toUrlParts,
} from '../../../../lib/state/answers/question-words.ts';
import { createQuestions } from '../../../../lib/state/answers/questions.ts';
import { fakeBackground, settled, summary } from '../fakes.ts';

function question(change: Partial<ServerQuestion> = {}): ServerQuestion {
  return { rpcId: '"q1"', method: 'elicitation/create', params: {}, since: 5, ...change };
}

function draftOf<Kind extends AnswerDraft['kind']>(kind: Kind, asked: Partial<ServerQuestion>) {
  const draft = createAnswerDraft(question(asked));
  if (draft.kind !== kind) throw new Error(`A draft of kind ${draft.kind}`);
  return draft as AnswerDraft & { kind: Kind };
}

const FORM = {
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer', default: 42 } },
    required: ['name'],
  },
};

test('a form is accepted once its fields are right', () => {
  const draft = draftOf('form', { params: FORM });
  expect(draft.toAnswer()).toBeUndefined();
  expect(draft.fault.value).toBe('One field needs your attention.');
  expect(draft.form.faultAt(['name'])).toBe('This is required.');
  draft.form.set(['name'], '"Ada"');
  expect(draft.toAnswer()).toEqual({
    resultText: '{"action":"accept","content":{\n  "age": 42,\n  "name": "Ada"\n}}',
  });
  expect(draft.refusals.map(({ title, answer }) => [title, answer])).toEqual([
    ['Decline', { resultText: '{"action":"decline"}' }],
    ['Cancel', { resultText: '{"action":"cancel"}' }],
  ]);
});

test('content as JSON starts from the form, goes to the letter, and is never rewritten', () => {
  const draft = draftOf('form', { params: FORM });
  const { form } = draft;
  form.isJson.value = true;
  expect(form.text.value).toBe('{\n  "age": 42\n}');
  form.setJson('{"age" : 1.0}');
  form.isJson.value = false;
  expect(draft.toAnswer()).toBeUndefined();
  form.isJson.value = true;
  // Whoever writes JSON may want to see what the server makes of it.
  expect(draft.toAnswer()).toEqual({
    resultText: '{"action":"accept","content":{"age" : 1.0}}',
  });
  form.setJson('{');
  expect(draft.toAnswer()).toBeUndefined();
  expect(draft.fault.value).toMatch(/^Not JSON at 1:2/);
});

test.each([
  undefined,
  null,
  'text',
  {},
  { properties: [] },
  { properties: { a: 1 } },
  { type: 'string' },
])('a form whose schema is %j can be answered all the same', (requestedSchema) => {
  const draft = draftOf('form', { params: { requestedSchema } });
  draft.form.isJson.value = true;
  draft.form.setJson('{"a": 1}');
  expect(draft.toAnswer()).toEqual({ resultText: '{"action":"accept","content":{"a": 1}}' });
});

test('a URL is accepted without content', () => {
  const params = { mode: 'url', url: 'https://example.com/pay', message: 'Pay' };
  expect(draftOf('url', { params }).toAnswer()).toEqual({ resultText: '{"action":"accept"}' });
});

test.each([
  ['https://example.com:8080/a?b#c', ['https://', 'example.com:8080', '/a?b#c']],
  ['https://good.example@evil.example/', ['https://good.example@', 'evil.example', '/']],
  ['https://example.com', ['https://', 'example.com', '/']],
  ['javascript:alert(1)', undefined],
  ['not a url', undefined],
])('of %s the host is told apart', (url, parts) => {
  expect(toUrlParts(url)).toEqual(parts && { before: parts[0], host: parts[1], after: parts[2] });
});

test('a sampling reply names its model, and can be rejected', () => {
  const params = {
    systemPrompt: 'Be brief.',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Hello' } },
      { role: 'assistant', content: [{ type: 'image', mimeType: 'image/png', data: '' }] },
    ],
    maxTokens: 50,
    modelPreferences: { hints: [{ name: 'small' }] },
  };
  const asked = question({ method: 'sampling/createMessage', params });
  expect(toSaidLines(asked)).toEqual([
    { by: 'system', text: 'Be brief.' },
    { by: 'user', text: 'Hello' },
    { by: 'assistant', text: '[image, image/png]' },
  ]);
  expect(toSamplingWishes(asked)).toEqual(['at most 50 tokens']);
  const draft = draftOf('sampling', asked);
  expect(draft.toAnswer()).toBeUndefined();
  draft.reply.value = 'Hi';
  expect(draft.toAnswer()).toEqual({
    resultText:
      '{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"small","stopReason":"endTurn"}',
  });
  draft.model.value = ' ';
  expect(draft.fault.value).toBe('A reply names its model.');
  expect(draft.refusals).toEqual([
    { title: 'Reject', answer: { code: -1, message: 'User rejected sampling request' } },
  ]);
});

test('roots are a list with URIs', () => {
  const draft = draftOf('roots', { method: 'roots/list' });
  draft.text.value = '[{"uri":"file:///a","name":"A"}]';
  expect(draft.toAnswer()).toEqual({
    resultText: '{"roots":[{"uri":"file:///a","name":"A"}]}',
  });
  draft.text.value = '[{"name":"A"}]';
  expect(draft.fault.value).toMatch(/uri/);
  draft.text.value = '{}';
  expect(draft.toAnswer()).toBeUndefined();
});

test('anything else is answered by a result of one’s own, or as unknown', () => {
  const draft = draftOf('result', { method: 'custom/thing' });
  expect(draft.toAnswer()).toEqual({ resultText: '{}' });
  expect(draft.refusals[0]?.answer).toEqual({
    code: -32601,
    message: 'Method not found: custom/thing',
  });
});

/** The row of the server's request. */
const row: RequestItem = {
  kind: 'request',
  direction: 'incoming',
  method: 'elicitation/create',
  key: '1',
  sequence: 1,
  connectionId: 'c1',
  started: { wallTime: 0, monotonicTime: 0, bootId: 'b' },
  revision: 0,
  rpcId: '"q1"',
  message: { in: 'event', httpId: 'h1', sequence: 1 },
  outcome: 'pending',
  related: 0,
};

test('a question keeps its draft while the connection changes, and goes with its answer', async () => {
  const { background, calls } = fakeBackground();
  const connections = signal([summary()]);
  const questions = createQuestions(background, connections);
  expect(questions.announcement.value).toBe('');
  connections.value = [summary({ serverName: 'demo', questions: [question({ params: FORM })] })];
  const [open] = questions.open.value;
  expect(questions.announcement.value).toBe('demo asks: elicitation/create.');
  const before = questions.open.value;
  connections.value = [summary({ messageCount: 9, questions: [question({ params: FORM })] })];
  expect(questions.open.value).toBe(before);

  const draft = draftOfQuestion(open!);
  expect(draftOfQuestion(open!)).toBe(draft);
  questions.accept(open!, draft.toAnswer());
  expect(open?.hasTried.value).toBe(true);
  expect(calls).toEqual([]);
  if (draft.kind === 'form') draft.form.set(['name'], '"Ada"');
  questions.accept(open!, draft.toAnswer());
  expect(open?.isSending.value).toBe(true);
  await settled();
  expect(calls).toEqual([
    ['answer', 'c1', '"q1"', { resultText: expect.stringContaining('"Ada"') }],
  ]);
  connections.value = [summary()];
  expect(questions.open.value).toEqual([]);
});

test('an id that is used again makes a new question', () => {
  const connections = signal([summary({ questions: [question()] })]);
  const questions = createQuestions(fakeBackground().background, connections);
  const [first] = questions.open.value;
  connections.value = [summary({ questions: [question({ since: 6 })] })];
  expect(questions.open.value[0]).not.toBe(first);
});

test('an answer that comes too late says so, and the buttons work again', async () => {
  const problem = { code: 'not-connected', message: 'No longer waited for.' } as const;
  const { background } = fakeBackground({
    // A port carries problems as plain data.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    answer: () => Promise.reject(problem),
  });
  const questions = createQuestions(background, signal([summary({ questions: [question()] })]));
  const open = questions.open.value[0]!;
  questions.answer(open, { resultText: '{}' });
  await settled();
  expect(questions.problem.value).toEqual(problem);
  expect(open.isSending.value).toBe(false);
  questions.clearProblem();
  expect(questions.problem.value).toBeUndefined();
});

test('the row of a request that waits leads to its question', () => {
  const connections = signal([summary({ questions: [question()] })]);
  const questions = createQuestions(fakeBackground().background, connections);
  const found = questions.find(row);
  expect(found).toBe(questions.open.value[0]);
  expect(questions.find({ ...row, outcome: 'result' })).toBeUndefined();
  expect(questions.find({ ...row, rpcId: 'q1' })).toBeUndefined();
  expect(questions.find({ ...row, direction: 'outgoing' })).toBeUndefined();
  questions.isExpanded.value = false;
  questions.show(found!);
  expect(questions.isExpanded.value).toBe(true);
  expect(questions.wanted.value).toBe(found?.key);
});

test('what a result asks is found from the row of its call, the nearest in time', () => {
  const { background } = fakeBackground();
  const askedBy = { method: 'tools/call', target: 'deploy' };
  const early = question({ rpcId: 'input 1 a', askedBy, since: 100 });
  const late = question({ rpcId: 'input 2 a', askedBy, since: 200 });
  const other = question({ rpcId: 'input 3 a', askedBy: { method: 'prompts/get' }, since: 199 });
  const connections = signal([summary({ questions: [early, late, other] })]);
  const { find } = createQuestions(background, connections);
  const waits: RequestItem = {
    ...row,
    direction: 'outgoing',
    ...askedBy,
    outcome: 'result',
    resultType: 'input_required',
    ended: { wallTime: 199, monotonicTime: 199, bootId: 'b' },
  };
  expect(find(waits)?.question).toBe(late);
  expect(find({ ...waits, ended: { ...row.started, wallTime: 99 } })?.question).toBe(early);
  expect(find({ ...waits, target: 'other' })).toBeUndefined();
  expect(find({ ...waits, connectionId: 'c2' })).toBeUndefined();
  const { resultType: _, ...complete } = waits;
  expect(find(complete)).toBeUndefined();
});

test('a question of a result says who asks, and what a refusal does', () => {
  const askedBy = { method: 'tools/call', target: 'deploy' };
  const sampling = question({ method: 'sampling/createMessage', askedBy });
  expect(toAskerWords(sampling)).toBe('tools/call deploy asks before it goes on');
  expect(toRefusalWords(sampling, 'Reject')).toBe(
    'There is no answer that says no: with “Reject”, tools/call deploy is not sent again.',
  );
  expect(toRefusalWords(question({ askedBy }), 'Decline')).toBeUndefined();
  expect(toAskerWords(question())).toBeUndefined();
  expect(toRefusalWords(question({ method: 'roots/list' }), 'Refuse')).toBeUndefined();
});
