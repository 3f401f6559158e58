import { expect, test } from 'vitest';
import { DEFAULT_CONNECT, type ConnectRequest } from '../../../../lib/port/contract.ts';
import { createAnswerDesk } from '../../../../lib/state/answers/answer-desk.ts';
import { fakeBackground, settled } from '../fakes.ts';

const made: ConnectRequest = { url: 'http://127.0.0.1:3001/mcp', ...DEFAULT_CONNECT };

test('what is chosen holds from now on, and for connecting again', async () => {
  const { background, calls } = fakeBackground({
    answers: async (_id, policies = DEFAULT_CONNECT.answers) => policies,
  });
  const own = structuredClone(made);
  const desk = createAnswerDesk({ answers: background.answers, requestOf: () => own });
  desk.open('c1');
  await settled();
  const options = desk.options.value!;
  expect(options.toPolicies()).toEqual(DEFAULT_CONNECT.answers);
  options.sampling.value = 'refuse';
  desk.save();
  await settled();
  const policies = { ...DEFAULT_CONNECT.answers, sampling: 'refuse' };
  expect(calls.at(-1)).toEqual(['answers', 'c1', policies]);
  expect(desk.isSaved.value).toBe(true);
  expect(own.answers).toEqual(policies);
  // Roots without a URI cannot be told.
  options.addRoot();
  desk.save();
  expect(calls).toHaveLength(2);
});

test('an answer that comes too late, for another connection or with trouble is no muddle', async () => {
  const late = Promise.withResolvers<typeof DEFAULT_CONNECT.answers>();
  const { background } = fakeBackground({
    answers: (id) => (id === 'c1' ? late.promise : Promise.resolve(undefined)),
  });
  const desk = createAnswerDesk({ answers: background.answers, requestOf: () => undefined });
  desk.open('c1');
  desk.open('c2');
  await settled();
  expect(desk.problem.value?.code).toBe('not-connected');
  late.resolve(DEFAULT_CONNECT.answers);
  await settled();
  expect(desk.options.value).toBeUndefined();
  desk.close();
  desk.save();
  expect(desk.shown.value).toBeUndefined();
});
