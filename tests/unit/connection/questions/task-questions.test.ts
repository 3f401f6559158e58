import { expect, test } from 'vitest';
import { createTaskQuestions } from '../../../../lib/connection/questions/task-questions.ts';
import { settled } from '../../state/fakes.ts';

type Answers = Map<string, string> | undefined;

/** Tasks whose questions wait until the test answers them. */
function start(update: (paramsText: string) => Promise<unknown> = () => Promise.resolve()) {
  const asked: {
    key: string;
    askedBy: object;
    until: AbortSignal;
    answer(given: Answers): void;
  }[] = [];
  const updates: string[] = [];
  const heed = createTaskQuestions({
    ask({ requests: [request] }, askedBy, _carrierId, until) {
      const { promise, resolve } = Promise.withResolvers<Answers>();
      asked.push({ key: request!.key, askedBy, until: until!, answer: resolve });
      return promise;
    },
    update(paramsText) {
      updates.push(paramsText);
      return update(paramsText);
    },
  });
  return { heed, asked, updates };
}

const ELICIT = { method: 'elicitation/create', params: { message: 'Who?' } };

function asking(...keys: string[]): object {
  const inputRequests = Object.fromEntries(keys.map((key) => [key, ELICIT]));
  return { taskId: 't 1', status: 'input_required', inputRequests };
}

test('what a task asks is put once however often it is told, and its answer sent to the letter', async () => {
  const { heed, asked, updates } = start();
  heed({ taskId: 't 1', status: 'working', resultType: 'task' }, 'h1', 'research');
  heed(asking('a'), 'h2');
  heed(asking('a', 'b'), 'h3');
  const askedBy = { method: 'tools/call', target: 'research', taskId: 't 1' };
  expect(asked.map(({ key, askedBy: by }) => [key, by])).toEqual([
    ['a', askedBy],
    ['b', askedBy],
  ]);
  asked[1]?.answer(new Map([['b', '{"n": 1.0}']]));
  await settled();
  expect(updates).toEqual(['{"taskId":"t 1","inputResponses":{"b":{"n": 1.0}}}']);
  // The server takes its time to take note of it.
  heed(asking('a', 'b'), 'h4');
  expect(asked).toHaveLength(2);
});

test.each([
  ['is over', { taskId: 't 1', status: 'cancelled' }],
  ['works on', { taskId: 't 1', status: 'working' }],
  ['asks for something else', asking('b')],
])('a question needs no answer any more when its task %s', (_what, told) => {
  const { heed, asked } = start();
  heed(asking('a'), 'h1');
  heed(told, 'h2');
  expect(asked[0]?.until.aborted).toBe(true);
});

test('nothing is sent for a question that is refused, and it does not come again', async () => {
  const { heed, asked, updates } = start();
  heed(asking('a'), 'h1');
  asked[0]?.answer(undefined);
  await settled();
  heed(asking('a'), 'h2');
  expect(updates).toEqual([]);
  expect(asked).toHaveLength(1);
});

test('an answer that does not reach the server is asked for again', async () => {
  const { heed, asked } = start(() => Promise.reject(new Error('gone')));
  heed(asking('a'), 'h1');
  asked[0]?.answer(new Map([['a', '{}']]));
  await settled();
  heed(asking('a'), 'h2');
  expect(asked).toHaveLength(2);
});

test.each([
  undefined,
  null,
  7,
  {},
  { taskId: 1, status: 'input_required', inputRequests: { a: ELICIT } },
  { taskId: 't', status: 'input_required' },
  { taskId: 't', status: 'input_required', inputRequests: [ELICIT] },
])('what is no task, or asks for nothing, asks nobody: %j', (described) => {
  const { heed, asked } = start();
  heed(described, 'h1');
  expect(asked).toEqual([]);
});
