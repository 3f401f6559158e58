import { describe, expect, test } from 'vitest';
import {
  completeRounds,
  type Call,
  type Round,
} from '../../../../lib/connection/questions/rounds.ts';
import type { Response } from '../../../../lib/connection/requests/own-request.ts';
import type { RequestLinks } from '../../../../lib/capture/wire-event.ts';
import type { InputRequired } from '../../../../lib/protocol/input-required.ts';

const CALL: Call = { method: 'tools/call', paramsText: '{"name":"deploy"}' };
const ELICIT = { method: 'elicitation/create', params: {} };

function result(value: object): Response {
  return { kind: 'result', id: '1', result: value };
}

function asking(state: string, requests: object | null = { confirm: ELICIT }): Response {
  return result({
    resultType: 'input_required',
    requestState: state,
    ...(requests === null ? {} : { inputRequests: requests }),
  });
}

const DONE = result({ content: [] });

/** A server that answers in this order, and a user who answers each question. */
function play(
  responses: Response[],
  answer: (asked: InputRequired) => Map<string, string> | undefined = ({ requests }) =>
    new Map(requests.map(({ key }) => [key, '{"action":"accept"}'])),
) {
  const sent: { params: unknown; links: RequestLinks }[] = [];
  const asked: { asked: InputRequired; askedBy: object; carrierId: string }[] = [];
  const [first = DONE, ...later] = responses;
  const givenUp: string[] = [];
  const lifetime = new AbortController();
  const last = completeRounds(
    CALL,
    { response: first, carrierId: 'h1' },
    {
      signal: lifetime.signal,
      async ask(input, askedBy, carrierId) {
        asked.push({ asked: input, askedBy, carrierId });
        return answer(input);
      },
      async send({ paramsText = '' }, links): Promise<Round> {
        sent.push({ params: JSON.parse(paramsText), links });
        const response = later[Math.min(sent.length, later.length) - 1] ?? DONE;
        return { response, carrierId: `h${sent.length + 1}` };
      },
      givenUp: (carrierId) => void givenUp.push(carrierId),
    },
  );
  return { last, sent, asked, givenUp, lifetime };
}

describe('a call', () => {
  test.each([DONE, result({ resultType: 'weird' }), result({ resultType: 'task' })])(
    'whose first result is the last word is not sent again: %j',
    async (response) => {
      const { last, sent, asked } = play([response]);
      expect(await last).toBe(response);
      expect(sent).toEqual([]);
      expect(asked).toEqual([]);
    },
  );

  test('that ends in an error is over', async () => {
    const error: Response = { kind: 'error', id: '1', code: -1, message: 'no', data: undefined };
    const { last, sent } = play([error]);
    expect(await last).toBe(error);
    expect(sent).toEqual([]);
  });

  test('goes on with answers and state, linked to the round before', async () => {
    const { last, sent, asked } = play([asking('s1'), asking('s2', { other: ELICIT }), DONE]);
    expect(await last).toBe(DONE);
    expect(asked).toMatchObject([
      { askedBy: { method: 'tools/call', target: 'deploy' }, carrierId: 'h1' },
      { askedBy: { method: 'tools/call', target: 'deploy' }, carrierId: 'h2' },
    ]);
    // Answers and state of a round are for the next one only.
    expect(sent).toEqual([
      {
        params: {
          name: 'deploy',
          inputResponses: { confirm: { action: 'accept' } },
          requestState: 's1',
        },
        links: { retryOf: 'h1', attempt: 2, reason: 'input-required' },
      },
      {
        params: {
          name: 'deploy',
          inputResponses: { other: { action: 'accept' } },
          requestState: 's2',
        },
        links: { retryOf: 'h2', attempt: 3, reason: 'input-required' },
      },
    ]);
  });

  test('that nobody answers ends with the question', async () => {
    const question = asking('s1');
    const { last, sent } = play([question], () => undefined);
    expect(await last).toBe(question);
    expect(sent).toEqual([]);
  });

  test('that is asked nothing is sent again with the state alone', async () => {
    const { last, sent, asked } = play([asking('s1', null), DONE]);
    expect(await last).toBe(DONE);
    expect(asked).toEqual([]);
    expect(sent.map(({ params }) => params)).toEqual([{ name: 'deploy', requestState: 's1' }]);
  });

  test('is not answered for ever', async () => {
    const { last, sent, givenUp } = play([asking('s1'), asking('s2')]);
    expect(await last).toMatchObject({ result: { resultType: 'input_required' } });
    expect(sent).toHaveLength(9);
    expect(givenUp).toEqual(['h10']);
  });

  test('that waits to come again ends with the connection', async () => {
    const { last, sent, lifetime } = play([asking('s1', null), DONE]);
    lifetime.abort(new Error('closed'));
    await expect(last).rejects.toThrow('closed');
    expect(sent).toEqual([]);
  });
});
