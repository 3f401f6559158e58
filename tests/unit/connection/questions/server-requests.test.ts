import { describe, expect, test } from 'vitest';
import { createServerRequests } from '../../../../lib/connection/questions/server-requests.ts';
import { DEFAULT_CONNECT, type AnswerPolicies } from '../../../../lib/port/contract.ts';

const ELICIT = { method: 'elicitation/create', params: { message: 'Sure?' } };
const YES = { resultText: '{"action":"accept"}' };

function start(policies: Partial<AnswerPolicies> = {}) {
  const sent: { text: string; by: string }[] = [];
  const counts: number[] = [];
  const profile = { answers: { ...DEFAULT_CONNECT.answers, ...policies } };
  const requests = createServerRequests({
    profile,
    send: (text, _request, by) => void sent.push({ text, by }),
    changed: () => void counts.push(requests.questions.length),
    now: () => 7,
  });
  return { requests, profile, sent, counts };
}

function ask(requests: ReturnType<typeof start>['requests'], keys: string[], method?: string) {
  const answered: [string, string][] = [];
  const answers = requests.ask({
    requests: keys.map((key) => ({ key, ...ELICIT, ...(method === undefined ? {} : { method }) })),
    askedBy: { method: 'tools/call', target: 'deploy' },
    answered: (key, by) => void answered.push([key, by]),
  });
  return { answers, answered };
}

const settled = (promise: Promise<unknown>) => Promise.race([promise, Promise.resolve('open')]);

describe('what a result asks', () => {
  test('waits for the user, and is named after the call that asks', async () => {
    const { requests, counts } = start();
    const { answers, answered } = ask(requests, ['a', 'b']);
    expect(requests.questions).toMatchObject([
      { ...ELICIT, askedBy: { method: 'tools/call', target: 'deploy' }, since: 7 },
      ELICIT,
    ]);
    const [first, second] = requests.questions;
    requests.answer(second!.rpcId, { resultText: '{"action":"decline"}' });
    expect(await settled(answers)).toBe('open');
    requests.answer(first!.rpcId, YES);
    expect(await answers).toEqual(
      new Map([
        ['a', YES.resultText],
        ['b', '{"action":"decline"}'],
      ]),
    );
    expect(answered).toEqual([
      ['b', 'user'],
      ['a', 'user'],
    ]);
    expect(counts).toEqual([1, 2, 1, 0]);
  });

  test('twice at once, under the same key, is two questions', async () => {
    const { requests } = start();
    const one = ask(requests, ['a']);
    const other = ask(requests, ['a']);
    const [first, second] = requests.questions;
    requests.answer(second!.rpcId, { resultText: '2' });
    requests.answer(first!.rpcId, { resultText: '1' });
    expect(await one.answers).toEqual(new Map([['a', '1']]));
    expect(await other.answers).toEqual(new Map([['a', '2']]));
  });

  test('may be answered by a policy', async () => {
    const { requests } = start({ elicitation: 'decline' });
    const { answers, answered } = ask(requests, ['a']);
    expect(await answers).toEqual(new Map([['a', '{"action":"decline"}']]));
    expect(answered).toEqual([['a', 'policy']]);
  });

  test.each(['sampling/createMessage', 'weird/method', ''])(
    '%s that no one may answer leaves all of it without answer',
    async (method) => {
      const { requests } = start({ sampling: 'refuse' });
      expect(await ask(requests, ['a'], method).answers).toBeUndefined();
      expect(requests.questions).toEqual([]);
    },
  );

  test('and a policy refuses in part is not asked at all', async () => {
    const { requests, counts } = start({ sampling: 'refuse' });
    const answered: unknown[][] = [];
    const answers = requests.ask({
      requests: [
        { key: 'a', ...ELICIT },
        { key: 'b', method: 'sampling/createMessage', params: {} },
        { key: 'c', ...ELICIT },
      ],
      askedBy: { method: 'tools/call' },
      answered: (...given) => void answered.push(given),
    });
    expect(await answers).toBeUndefined();
    expect([answered, counts]).toEqual([[['b', 'policy', true]], []]);
  });

  test('and is refused once needs no other answer', async () => {
    const { requests } = start();
    const { answers } = ask(requests, ['a', 'b', 'c']);
    requests.answer(requests.questions[1]!.rpcId, { code: -1, message: 'no' });
    expect(await answers).toBeUndefined();
    expect(requests.questions).toEqual([]);
  });

  test('ends without answer when the connection does', async () => {
    const { requests } = start();
    const { answers } = ask(requests, ['a', 'b']);
    requests.clear();
    expect(await answers).toBeUndefined();
  });

  test('of nothing needs no answer', async () => {
    const { requests } = start();
    expect(await ask(requests, []).answers).toEqual(new Map());
  });
});

describe('a request of a legacy server', () => {
  const request = { kind: 'request', id: '"7"', ...ELICIT } as const;

  test('waits, and its id goes back to the letter', () => {
    const { requests, sent } = start();
    requests.take(request);
    expect(requests.questions).toEqual([{ rpcId: '"7"', ...ELICIT, since: 7 }]);
    requests.answer('"7"', YES);
    expect(sent).toEqual([
      { text: '{"jsonrpc":"2.0","id":"7","result":{"action":"accept"}}', by: 'user' },
    ]);
    expect(() => requests.answer('"7"', YES)).toThrow('no longer waits');
  });

  test('that is withdrawn is not answered', () => {
    const { requests, sent } = start();
    requests.take(request);
    requests.withdraw('"7"');
    expect(requests.questions).toEqual([]);
    expect(sent).toEqual([]);
  });

  test('of an unknown method is refused at once', () => {
    const { requests, sent } = start();
    requests.take({ ...request, method: 'weird' });
    expect(sent).toMatchObject([{ by: 'policy', text: expect.stringContaining('-32601') }]);
  });
});

test('policies that change hold for the next question, and for what is declared from then on', () => {
  const { requests, profile, sent } = start();
  const request = { kind: 'request', ...ELICIT } as const;
  requests.take({ ...request, id: '1' });
  profile.answers = { ...profile.answers, elicitation: 'decline', sampling: 'undeclared' };
  requests.take({ ...request, id: '2' });
  expect(sent).toEqual([
    { text: '{"jsonrpc":"2.0","id":2,"result":{"action":"decline"}}', by: 'policy' },
  ]);
  // What waits already waits on for the user.
  expect(requests.questions).toMatchObject([{ rpcId: '1' }]);
  expect(Object.keys(requests.capabilities)).toEqual(['elicitation', 'roots']);
});

test('a question is taken back when its asker wants no answer any more', async () => {
  const { requests } = start();
  const asker = new AbortController();
  const answers = requests.ask({
    requests: [{ key: 'a', ...ELICIT }],
    askedBy: { method: 'tools/call', taskId: 't' },
    answered: () => undefined,
    until: asker.signal,
  });
  expect(requests.questions).toHaveLength(1);
  asker.abort();
  expect(await answers).toBeUndefined();
  expect(requests.questions).toEqual([]);
});
