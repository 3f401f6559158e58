import { expect, test } from 'vitest';
import { createGrantModel, readGrantRequest } from '../../../../lib/state/connect/grant-model.ts';
import { fakeBackground, settled } from '../fakes.ts';

const QUESTION = {
  connectionId: 'c1',
  pattern: 'http://127.0.0.1/*',
  url: 'http://127.0.0.1:3001/mcp?a=b&c=d',
  isForLogin: false,
};

test('the question is read from the address of the page', () => {
  const { connectionId: connection, pattern, url } = QUESTION;
  const query = `?${new URLSearchParams({ connection, pattern, url })}`;
  expect(readGrantRequest(query)).toEqual(QUESTION);
  expect(readGrantRequest(`${query}&for=login`)).toEqual({ ...QUESTION, isForLogin: true });
  expect(readGrantRequest('?connection=c1&pattern=x')).toBeUndefined();
});

function ask(answer: Promise<boolean>, question = QUESTION) {
  const { background, calls } = fakeBackground();
  let closed = 0;
  const model = createGrantModel(
    question,
    background,
    () => answer,
    () => (closed += 1),
  );
  return { model, calls, closed: () => closed };
}

test('Allow tells the background before the page closes', async () => {
  const { model, calls, closed } = ask(Promise.resolve(true));
  model.allow();
  expect(model.state.value).toBe('waiting');
  await settled();
  expect(model.state.value).toBe('granted');
  expect(calls).toEqual([['permissionAnswered', 'c1', true]]);
  expect(closed()).toBe(1);
});

test('a refused prompt and Deny both end as denied, and the page stays', async () => {
  const refused = ask(Promise.resolve(false));
  refused.model.allow();
  const denied = ask(Promise.resolve(true));
  denied.model.deny();
  await settled();
  for (const { model, calls, closed } of [refused, denied]) {
    expect(model.state.value).toBe('denied');
    expect(calls).toEqual([['permissionAnswered', 'c1', false]]);
    expect(closed()).toBe(0);
  }
});

test('the host of an authorization server is answered to the login that needs it', async () => {
  const { model, calls } = ask(Promise.resolve(true), { ...QUESTION, isForLogin: true });
  model.allow();
  await settled();
  model.deny();
  await settled();
  expect(calls).toEqual([
    ['authAnswer', 'c1', true],
    ['authAnswer', 'c1', false],
  ]);
});

test('a failure leaves the question open and says what happened', async () => {
  const { model } = ask(Promise.reject(new Error('no user input')));
  model.allow();
  await settled();
  expect(model.state.value).toBe('asking');
  expect(model.problem.value?.detail).toBe('Error: no user input');
});
