import { expect, test } from 'vitest';
import { judgeEndpoint } from '../../../lib/protocol/endpoint.ts';

const CONFIGURED = 'https://mcp.example:8443/base/sse?a=1';

test.each([
  ['/messages?sessionId=1', 'https://mcp.example:8443/messages?sessionId=1'],
  ['messages', 'https://mcp.example:8443/base/messages'],
  ['?sid=1', 'https://mcp.example:8443/base/sse?sid=1'],
  ['//mcp.example:8443/m', 'https://mcp.example:8443/m'],
  ['https://MCP.example:8443/m', 'https://mcp.example:8443/m'],
  // No request carries a fragment, so no log should.
  ['/m#part', 'https://mcp.example:8443/m'],
])('“%s” is of the same origin', (announced, url) => {
  expect(judgeEndpoint(announced, CONFIGURED)).toEqual({ kind: 'accepted', url });
});

test.each([
  ['http://mcp.example:8443/m', 'another scheme', /announces its inner address/],
  ['https://mcp.example/m', 'another port', /announces its inner address/],
  ['https://evil.example:8443/m', 'another host', /may be trying to get your credentials/],
  ['https://mcp.example.evil.example:8443/m', 'a host that begins alike', /may be trying/],
  ['//evil.example/m', 'another host by a path', /may be trying/],
  ['\\\\evil.example/m', 'another host by backslashes', /may be trying/],
  ['http://0.0.0.0:8443/m', 'a listening address', /the server listens on/],
  ['http://127.0.0.1:8443/m', 'a loopback address', /announces its inner address/],
  ['https://user@mcp.example:8443/m', 'a user name', /user name or password/],
  ['https://:secret@mcp.example:8443/m', 'a password alone', /user name or password/],
  ['blob:https://mcp.example:8443/m', 'a blob, which has the same origin', /may be trying/],
  ['javascript:alert(1)', 'a script', /may be trying/],
])('“%s” is refused: %s', (announced, _what, advice) => {
  expect(judgeEndpoint(announced, CONFIGURED)).toMatchObject({
    kind: 'refused',
    problem: {
      code: 'endpoint-refused',
      message: expect.stringContaining('https://mcp.example:8443'),
      advice: expect.stringMatching(advice),
    },
  });
});

test.each(['', ' ', 'https://[', 'http://'])('“%s” is no URL', (announced) => {
  expect(judgeEndpoint(announced, CONFIGURED)).toMatchObject({
    kind: 'refused',
    problem: { code: 'endpoint-invalid', message: expect.stringContaining(`“${announced}”`) },
  });
});
