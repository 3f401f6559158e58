import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nextRoundParams,
  readInputRequired,
  type InputRequired,
} from '../../../lib/protocol/input-required.ts';

const ELICIT = { method: 'elicitation/create', params: { message: 'Sure?' } };

function asked(result: object): InputRequired {
  const read = readInputRequired({ resultType: 'input_required', ...result });
  if (read === undefined) throw new Error('nothing was asked');
  return read;
}

describe('what a result asks', () => {
  test('is read with its keys, and the state', () => {
    expect(asked({ inputRequests: { a: ELICIT }, requestState: 's' })).toEqual({
      requests: [{ key: 'a', ...ELICIT }],
      hasRequests: true,
      requestState: 's',
    });
  });

  test.each([
    {},
    { inputRequests: [] },
    { inputRequests: [{ method: 'roots/list' }], requestState: 's' },
  ])('is nothing in %j, so that nobody asks again for ever', (members) => {
    expect(readInputRequired({ resultType: 'input_required', ...members })).toBeUndefined();
  });

  test('may be nothing but to come again', () => {
    expect(asked({ requestState: '' })).toEqual({
      requests: [],
      hasRequests: false,
      requestState: '',
    });
    expect(asked({ inputRequests: {} })).toEqual({ requests: [], hasRequests: true });
  });

  test.each([
    {},
    { resultType: 'complete' },
    { resultType: 'weird' },
    null,
    7,
    'input_required',
    [],
  ])('%j asks nothing', (result) => {
    expect(readInputRequired(result)).toBeUndefined();
  });

  test.each([null, 7, {}, { method: 7 }])('an input request of %j has no method', (request) => {
    expect(asked({ inputRequests: { a: request } }).requests[0]).toMatchObject({ method: '' });
  });
});

describe('the next round', () => {
  const answers = new Map([['a', '{"action":"accept","content":{"n":1.0}}']]);

  test('holds the answers and the state in front of the first params, which stay to the letter', () => {
    const first = '{ "name" : "deploy", "big":12345678901234567890 }';
    expect(
      nextRoundParams(first, asked({ inputRequests: { a: ELICIT }, requestState: 's' }), answers),
    ).toBe(
      `{"inputResponses":{"a":{"action":"accept","content":{"n":1.0}}},"requestState":"s",${first.slice(1)}`,
    );
  });

  test('names a state only where there was one, an empty one included', () => {
    expect(nextRoundParams('{}', asked({ inputRequests: { a: ELICIT } }), answers)).not.toContain(
      'requestState',
    );
    expect(nextRoundParams('{}', asked({ requestState: '' }), new Map())).toBe(
      '{"requestState":""}',
    );
  });

  test('of a request without params has some', () => {
    expect(nextRoundParams(undefined, asked({ requestState: 's' }), new Map())).toBe(
      '{"requestState":"s"}',
    );
  });

  test('makes way for the newest state where a later round was sent again by hand', () => {
    const first =
      '{"requestState":"old", "name":"n" ,"inputResponses":{"x":{}},"requestState":"older"}';
    const both = asked({ inputRequests: { a: ELICIT }, requestState: 'new' });
    expect(JSON.parse(nextRoundParams(first, both, new Map([['a', '{}']])))).toEqual({
      name: 'n',
      inputResponses: { a: {} },
      requestState: 'new',
    });
    // What is no longer given must not be invented.
    const stateless = asked({ inputRequests: { a: ELICIT } });
    expect(nextRoundParams(first, stateless, new Map([['a', '{}']]))).toBe(
      '{"inputResponses":{"a":{}},"name":"n"}',
    );
  });

  test.each(['[1]', '{"a":', '7', ''])('leaves %s, which is no object, as it is', (first) => {
    expect(nextRoundParams(first, asked({ requestState: 's' }), new Map())).toBe(first);
  });

  test('says exactly what was said, with any state and any answers, and touches nothing else', () => {
    const params = fc
      .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3))
      .map(([value, indent]) => JSON.stringify(value, undefined, indent));
    const state = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    const given = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(params, state, given, (first, requestState, responses) => {
        const requests = Object.fromEntries(Object.keys(responses).map((key) => [key, ELICIT]));
        const texts = new Map(
          Object.entries(responses).map(([key, value]) => [key, JSON.stringify(value)]),
        );
        const next = nextRoundParams(
          first,
          asked({ inputRequests: requests, requestState }),
          texts,
        );
        expect(JSON.parse(next)).toEqual({
          ...(JSON.parse(first) as object),
          inputResponses: JSON.parse(JSON.stringify(responses)) as unknown,
          requestState,
        });
        const hasOlder = /"(inputResponses|requestState)"/.test(first);
        expect(hasOlder || next.endsWith(first.slice(1))).toBe(true);
      }),
    );
  });
});
