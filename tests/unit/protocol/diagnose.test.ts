import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../lib/errors.ts';
import {
  diagnoseBody,
  diagnoseHead,
  essence,
  excerpt,
  type ReplyFacts,
} from '../../../lib/protocol/diagnose.ts';
import {
  diagnoseAbort,
  diagnoseCut,
  diagnoseSilence,
  diagnoseStreamEnd,
} from '../../../lib/protocol/diagnose-end.ts';
import { classifyPayload } from '../../../lib/protocol/jsonrpc.ts';

const URL_ASKED = 'http://127.0.0.1:3001/mcp';

function facts(change: Partial<ReplyFacts>): ReplyFacts {
  return {
    expects: 'response',
    rpcMethod: 'tools/list',
    url: URL_ASKED,
    status: 200,
    statusText: '',
    contentType: 'application/json',
    sentSession: false,
    ...change,
  };
}

/** Every sentence of a problem. */
const words = (problem: Problem | undefined) =>
  `${problem?.message} ${problem?.advice} ${problem?.detail}`;

describe('an acceptable answer', () => {
  test.each<[string, Partial<ReplyFacts>]>([
    ['JSON', {}],
    ['JSON with a charset, in any case', { contentType: 'Application/JSON; charset=utf-8' }],
    ['a stream', { contentType: 'text/event-stream;charset=UTF-8' }],
    ['201 with JSON', { status: 201 }],
    ['202 to a notification', { expects: 'acceptance', status: 202, contentType: undefined }],
    ['204 to a notification', { expects: 'acceptance', status: 204, contentType: undefined }],
    ['200 HTML to a notification', { expects: 'acceptance', contentType: 'text/html' }],
    ['a GET stream', { expects: 'stream', contentType: 'text/event-stream' }],
    ['200 to a DELETE', { expects: 'termination', contentType: undefined }],
    ['404 to a DELETE', { expects: 'termination', status: 404, sentSession: true }],
    ['405 to a DELETE', { expects: 'termination', status: 405 }],
  ])('is %s', (_what, change) => {
    expect(diagnoseHead(facts(change))).toBeUndefined();
  });
});

describe('an answer that will not do', () => {
  test.each<[string, Partial<ReplyFacts>, Problem['code'], RegExp[]]>([
    [
      '202 to a request',
      { status: 202 },
      'accepted-request',
      [/tools\/list/, /202/, /needs a response/],
    ],
    ['204 to a request', { status: 204 }, 'body-empty', [/no content \(204\)/]],
    [
      '204 to the GET',
      { expects: 'stream', status: 204, rpcMethod: undefined as never },
      'body-empty',
      [/GET for a stream/, /not to open this stream again/],
    ],
    [
      'a web page',
      { contentType: 'text/html; charset=utf-8', bodyText: '<html><title> Log in </title>' },
      'body-web-page',
      [/web page/, /“Log in”/, /Is the path right/],
    ],
    [
      'a web page without a type',
      { contentType: undefined, bodyText: '\n <!DOCTYPE html><p>' },
      'body-web-page',
      [/without a content type/],
    ],
    ['no type', { contentType: undefined, bodyText: '' }, 'body-type', [/without a content type/]],
    [
      'JSON as text',
      { contentType: 'text/plain', bodyText: ' {"jsonrpc"' },
      'body-type',
      [/text\/plain/, /looks like JSON/],
    ],
    ['other bytes', { contentType: 'application/octet-stream' }, 'body-type', [/octet-stream/]],
    [
      'JSON to the GET',
      { expects: 'stream', contentType: 'application/json' },
      'body-type',
      [/GET for a stream|tools\/list/, /405/, /works without it/],
    ],
    [
      '401',
      { status: 401, challenge: 'Bearer realm="x"' },
      'http-unauthorized',
      [/authorization/, /Bearer realm="x"/, /Authorization header/],
    ],
    ['401 without a challenge', { status: 401 }, 'http-unauthorized', [/names no way/]],
    [
      '403 with an Origin',
      { status: 403, sentOrigin: 'https://o', rpcError: 'Invalid Origin' },
      'http-forbidden',
      [/Invalid Origin/, /allow the origin https:\/\/o/],
    ],
    ['403 without one', { status: 403 }, 'http-forbidden', [/No Origin header was sent/]],
    ['404', { status: 404 }, 'http-not-found', [/no MCP endpoint at http:\/\/127/, /404/, /\/mcp/]],
    [
      '404 in a session',
      { status: 404, sentSession: true, statusText: 'Not Found' },
      'http-session-ended',
      [/no longer knows this session \(404 Not Found\)/],
    ],
    [
      '404 to the GET, session or not',
      { expects: 'stream', status: 404, sentSession: true },
      'http-not-found',
      [/no GET stream/, /405/, /works without it/],
    ],
    [
      '405',
      { status: 405, allow: 'GET' },
      'http-method-not-allowed',
      [/Allow: GET/, /does not take POST/, /HTTP\+SSE/],
    ],
    [
      '405 to the GET',
      { expects: 'stream', status: 405 },
      'http-method-not-allowed',
      [/Normal for a server without a GET stream.*HTTP\+SSE does not/],
    ],
    ['406', { status: 406 }, 'http-status', [/406/, /Accept/]],
    ['413', { status: 413 }, 'http-status', [/larger/]],
    ['415', { status: 415 }, 'http-status', [/content type/]],
    ['429', { status: 429 }, 'http-status', [/slow down/]],
    [
      '500 with a page',
      { status: 500, statusText: 'Internal Server Error', bodyText: '<h1>Oops</h1>\n\n  trace' },
      'http-status',
      [/500 Internal Server Error/, /fault is in the server/, /<h1>Oops<\/h1> trace/],
    ],
    [
      '400 with a reason',
      { status: 400, rpcError: 'App is not enabled', bodyText: '{"error":…}' },
      'http-status',
      [/400: App is not enabled/],
    ],
    [
      'a redirect to another origin',
      { status: 307, location: 'https://other.example/mcp' },
      'http-redirect',
      [/from http:\/\/127.0.0.1:3001\/mcp to https:\/\/other.example\/mcp/, /another origin/],
    ],
    [
      'a redirect that would lose the body',
      { status: 301, location: `${URL_ASKED}/` },
      'http-redirect',
      [
        /301 would turn the request into a GET/,
        /Connect to http:\/\/127.0.0.1:3001\/mcp\/ instead/,
      ],
    ],
    ['a redirect to nowhere', { status: 302 }, 'http-redirect', [/302/, /does not say where/]],
    ['304', { status: 304 }, 'http-status', [/304/]],
  ])('is %s', (_what, change, code, patterns) => {
    const problem = diagnoseHead(facts(change));
    expect(problem?.code).toBe(code);
    for (const pattern of patterns) expect(words(problem)).toMatch(pattern);
  });

  test('of any status is told, and never in the words of fetch', () => {
    for (let status = 100; status < 600; status += 1) {
      for (const expects of ['response', 'acceptance', 'stream', 'termination'] as const) {
        const problem = diagnoseHead(facts({ status, expects, contentType: undefined }));
        const isGood =
          status >= 200 && status < 300 && (expects === 'acceptance' || expects === 'termination');
        const isOver = expects === 'termination' && (status === 404 || status === 405);
        expect(problem === undefined).toBe(isGood || isOver);
        expect(words(problem)).not.toMatch(/failed to fetch|networkerror/i);
        expect(problem?.message ?? `(${status})`).toContain(String(status));
      }
    }
  });

  test('keeps no page longer than an excerpt', () => {
    const problem = diagnoseHead(facts({ status: 502, bodyText: 'x'.repeat(100_000) }));
    expect(problem!.detail!.length).toBeLessThan(300);
  });
});

describe('a body', () => {
  const judge = (text: string) => {
    const payload = classifyPayload(text);
    return payload.kind === 'not-json' || payload.kind === 'not-rpc'
      ? diagnoseBody(payload, 'tools/list', text)
      : diagnoseBody({ kind: 'not-rpc', reason: 'it holds no response' }, 'tools/list', text);
  };

  test.each<[string, string, Problem['code'], RegExp[]]>([
    ['that is empty', '', 'body-empty', [/empty body/]],
    ['of blanks', ' \r\n', 'body-empty', [/empty body/]],
    ['that is cut', '{"jsonrpc":"2.0",', 'body-not-json', [/not valid JSON, from byte 17 on/]],
    ['with two values', '{"id":1}\n{"id":2}', 'body-not-json', [/from byte 9 on/, /"id":2/]],
    ['with NaN', '{"id":1,"result":NaN}', 'body-not-json', [/from byte 17/]],
    [
      'that is SSE',
      'event: message\ndata: {}\n\n',
      'body-not-json',
      [/SSE stream/, /event-stream/],
    ],
    ['that begins with a comment', ': hi\n\ndata: {}\n\n', 'body-not-json', [/SSE stream/]],
    ['that is a number', '7', 'body-not-rpc', [/not a JSON-RPC response/, /a number/]],
    ['with both', '{"id":1,"result":{},"error":{}}', 'body-not-rpc', [/Both result and error/]],
    ['with neither', '{"jsonrpc":"2.0","id":1}', 'body-not-rpc', [/Neither/]],
    ['with a request', '{"id":1,"method":"ping"}', 'body-not-rpc', [/holds no response/]],
  ])('%s', (_what, text, code, patterns) => {
    const problem = judge(text);
    expect(problem.code).toBe(code);
    expect(problem.message).toContain('`tools/list`');
    for (const pattern of patterns) expect(words(problem)).toMatch(pattern);
  });
});

describe('a stream that ends without a response', () => {
  const end = (change: Partial<Parameters<typeof diagnoseStreamEnd>[0]>) =>
    diagnoseStreamEnd({
      rpcMethod: 'tools/call',
      eventCount: 0,
      resumable: false,
      startText: '',
      tailBytes: 0,
      ...change,
    });

  test('counts its events, and says whether it can be resumed', () => {
    expect(end({}).message).toContain('ended after 0 events, with no response.');
    expect(end({ eventCount: 1 }).message).toContain('after 1 event, ');
    expect(end({ eventCount: 2 }).code).toBe('stream-no-response');
    expect(end({ eventCount: 2 }).advice).toContain('no ids');
    expect(end({ eventCount: 2, resumable: true }).advice).toContain('asked for again');
  });

  test('says that it broke, and how', () => {
    expect(end({ errorName: 'ECONNRESET' })).toMatchObject({
      code: 'stream-cut',
      message: expect.stringContaining('broke off'),
      detail: 'ECONNRESET',
    });
  });

  test('names what was cut off, and only that', () => {
    expect(end({ eventCount: 1, tailBytes: 43 }).message).toContain('inside an event: 43 bytes');
    expect(end({ startText: ': keep-alive\n\n' }).message).not.toContain('cut off');
  });

  test.each(['{"jsonrpc"', '\n [{"a":1}]', '{\n  "id": 1\n}\n'])(
    'is told from JSON: %j',
    (text) => {
      expect(end({ startText: text, tailBytes: 5 })).toMatchObject({
        code: 'body-type',
        message: expect.stringContaining('its body is JSON'),
      });
    },
  );
});

describe('silence', () => {
  const wait = (headStatus: number | undefined, receivedBytes: number, waitedMs = 60_000) =>
    diagnoseSilence({ rpcMethod: 'ping', waitedMs, headStatus, receivedBytes });

  test('says what had come, and how long was waited', () => {
    expect(wait(undefined, 0).message).toMatch(/took the connection but sent nothing.*within 60 s/);
    expect(wait(200, 0).message).toMatch(/sent its headers \(200\) and then nothing/);
    expect(wait(200, 512).message).toMatch(/sent 512 bytes, but no response/);
    expect(wait(200, 0, 1549).message).toContain('1.5 s');
    expect(wait(200, 0).code).toBe('deadline');
  });
});

test.each([
  ['limit', 'body-limit', /larger than the size limit.*77 bytes/],
  ['too-fast', 'stream-too-fast', /faster than.*77 bytes/],
  ['user', 'aborted', /stopped/],
  ['close', 'aborted', /stopped/],
  ['not-needed', 'aborted', /stopped/],
  ['deadline', 'aborted', /stopped/],
] as const)('ending it by %s is told', (cause, code, pattern) => {
  const problem = diagnoseAbort({ cause, sizeBytes: 77 }, 'ping');
  expect(problem.code).toBe(code);
  expect(problem.message).toMatch(pattern);
});

test('a cut keeps the name that the platform gave it', () => {
  expect(diagnoseCut('ping', { sizeBytes: 9, errorName: 'net::ERR_X' })).toMatchObject({
    code: 'stream-cut',
    message: expect.stringContaining('after 9 bytes'),
    detail: 'net::ERR_X',
  });
});

test.each([
  [undefined, ''],
  ['', ''],
  ['text/html', 'text/html'],
  [' Text/HTML ;charset=x', 'text/html'],
  ['text/html, application/json', 'application/json'],
  ['text/event-stream; charset=utf-8, Text/Event-Stream', 'text/event-stream'],
  ['application/json; profile="a,text/html"', 'application/json'],
  ['application/json,', 'application/json'],
  ['application/json, */*', 'application/json'],
  ['json', 'json'],
])('the essence of %j is %j', (type, expected) => {
  expect(essence(type)).toBe(expected);
});

test('an excerpt is one line, and says where it was shortened', () => {
  expect(excerpt(' a\n\n b\t')).toBe('a b');
  expect(excerpt('y'.repeat(500))).toBe(`${'y'.repeat(240)}…`);
});
