import { expect, test } from 'vitest';
import { sessionInEndpoint, sessionsInText } from '../../../lib/protocol/endpoint-session.ts';

const ENDPOINT = 'https://mcp.example:8443/base/messages?a=1';

test.each([
  ['sessionId', '1'],
  ['session_id', '1'],
  ['SESSION', '1'],
  ['sid', '1'],
  ['transportId', '1'],
  ['connection_id', '1'],
  ['id', undefined],
  ['resid', undefined],
])('a parameter %s holds the session id: %s', (name, session) => {
  expect(sessionInEndpoint(`${ENDPOINT}&${name}=1`)).toBe(session);
});

test('an empty session id is none', () => {
  expect(sessionInEndpoint('https://mcp.example/m?sid=')).toBeUndefined();
});

test('session ids are found in raw text, and one at its very end may go on', () => {
  expect(sessionsInText('data: /m?sessionId=abc&sid=def\n')).toEqual([
    { value: 'abc', mayContinue: false },
    { value: 'def', mayContinue: false },
  ]);
  expect(sessionsInText('data: /m?sessionId=ab')).toEqual([{ value: 'ab', mayContinue: true }]);
});
