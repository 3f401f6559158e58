import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInThisContext } from 'node:vm';
import { assert, asyncProperty, oneof, string, uint8Array } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCurl, type PlainRequest } from '../../../../lib/state/copy/copy-curl.ts';
import { buildFetch } from '../../../../lib/state/copy/copy-fetch.ts';
import { startSeeingServer, type SeeingServer } from '../../../support/seeing-server.ts';

const run = promisify(execFile);
const utf8 = new TextEncoder();

let server: SeeingServer;
beforeAll(async () => {
  server = await startSeeingServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Runs the command as a user would paste it. */
async function sentByCurl(request: PlainRequest) {
  const command = buildCurl(request);
  // By its input, since a command of some size is no argument; it fails where curl is not installed.
  const running = run('/bin/sh', ['-s'], { env: { PATH: process.env['PATH'] } });
  running.child.stdin?.end(`${command}\n`);
  expect((await running).stdout).toBe('ok');
  const [seen, ...more] = server.take();
  expect(more).toEqual([]);
  if (seen === undefined) throw new Error('nothing came');
  return { ...seen, command };
}

async function sentByFetch(request: PlainRequest) {
  const text = buildFetch(request);
  const response = await (runInThisContext(text) as Promise<Response>);
  expect(await response.text()).toBe('ok');
  const [seen] = server.take();
  if (seen === undefined) throw new Error('nothing came');
  return { ...seen, text };
}

function post(body: Uint8Array | string, headers: PlainRequest['headers'] = []): PlainRequest {
  return {
    method: 'POST',
    url: `${server.url}/mcp`,
    headers: [{ name: 'Content-Type', value: 'application/json' }, ...headers],
    body: typeof body === 'string' ? utf8.encode(body) : body,
  };
}

const NASTY: [name: string, body: string | Uint8Array][] = [
  ['plain JSON', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
  ['quotes, dollars and backslashes', String.raw`'it''s' "$HOME" $(id) \`id\` \\ \n %s %% !! ~ #`],
  ['several lines', '{\n  "a": 1\n}\n\n'],
  ['a leading at sign', '@/etc/passwd'],
  ['a leading dash and a control byte', '-n\u0001'],
  ['nothing', ''],
  ['CR, tab, escape, bell', 'a\r\n\tb\u001b[31m\u0007'],
  ['a byte order mark and bidi marks', '\uFEFF{"a":"\u202Etxt.exe\u2066"}'],
  ['letters beyond ASCII', '{"city":"Köln","sign":"日本 🙂"}'],
  ['all bytes there are', Uint8Array.from({ length: 256 }, (_, index) => index)],
  ['a digit behind an octal escape', '\u00017\u00007'],
  ['more than an argument may hold', `{"a":"${"it's ".repeat(60_000)}"}`],
  ['more than a megabyte of bytes', new Uint8Array(1_200_000).fill(0x80)],
];

// Each starts two programs, which takes its time on a busy machine.
describe('as cURL', { timeout: 60_000 }, () => {
  test.each(NASTY)('%s arrives byte for byte', async (_, body) => {
    const sent = await sentByCurl(post(body));
    expect(sent.body.equals(Buffer.from(body))).toBe(true);
    expect(sent.method).toBe('POST');
  });

  test('any body arrives byte for byte', async () => {
    const anything = oneof(string({ unit: 'binary' }), uint8Array({ maxLength: 300 }));
    await assert(
      asyncProperty(anything, async (body) => {
        const sent = await sentByCurl(post(body));
        expect(sent.body.equals(Buffer.from(body))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('headers keep their order, their case and every byte, and none is added', async () => {
    const { url } = server;
    const headers = [
      { name: 'Connection', value: 'keep-alive' },
      { name: 'X-Quote', value: `it's "$HOME"` },
      { name: 'user-agent', value: 'Test/1' },
      { name: 'X-Empty', value: '' },
      { name: 'X-Twice', value: 'a' },
      { name: 'X-Twice', value: 'b' },
      { name: 'X-Latin', value: 'caf\u00e9\ttab' },
      { name: 'Accept-Encoding', value: 'gzip, br' },
      { name: 'Accept', value: 'application/json, text/event-stream' },
    ];
    const sent = await sentByCurl({
      method: 'GET',
      url: `${url}/a%20b/[x]?q={1,2}&r='`,
      headers: [{ name: 'Host', value: new URL(url).host }, ...headers],
    });
    expect(sent.headers).toEqual([
      ['Host', new URL(url).host],
      ...headers.map(({ name, value }) => [name, value]),
    ]);
    expect(sent.method).toBe('GET');
    expect(sent.path).toBe(`/a%20b/[x]?q={1,2}&r='`);
    expect(sent.body).toHaveLength(0);
    expect(sent.command).toContain('--no-buffer');
  });

  test('curl adds nothing of its own where nothing was said', async () => {
    const sent = await sentByCurl({ method: 'POST', url: server.url, headers: [] });
    expect(sent.headers.map(([name]) => name)).toEqual(['Host', 'Content-Length']);
  });

  test.each(['DELETE', 'PUT', 'OPTIONS'])('%s is sent as that', async (method) => {
    expect((await sentByCurl({ method, url: server.url, headers: [] })).method).toBe(method);
  });

  test('what a terminal would act upon is never in the command', () => {
    const command = buildCurl(post('a\u001b]0;x\u0007\u202E\u200B\u0000'));
    expect(command).toMatch(/^[\n\x20-\x7e]+$/);
  });
});

describe('as fetch', { timeout: 60_000 }, () => {
  test.each(NASTY)('%s arrives byte for byte', async (_, body) => {
    const sent = await sentByFetch(post(body));
    expect(sent.body.equals(Buffer.from(body))).toBe(true);
    expect(sent.method).toBe('POST');
  });

  test('headers that may be set arrive, twice where they were sent twice', async () => {
    const headers = [
      { name: 'X-Quote', value: `it's "$HOME" </script>` },
      { name: 'Accept', value: 'text/event-stream' },
      { name: 'X-Latin', value: 'caf\u00e9' },
      { name: 'Sec-Fetch-Mode', value: 'cors' },
      { name: 'Content-Length', value: '999' },
      { name: 'Connection', value: 'keep-alive' },
    ];
    const request = { method: 'GET', url: `${server.url}/?a="'`, headers };
    const sent = await sentByFetch(request);
    const find = (name: string) =>
      sent.headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
    expect(find('x-quote')).toEqual([`it's "$HOME" </script>`]);
    expect(find('accept')).toEqual(['text/event-stream']);
    expect(find('x-latin')).toEqual(['caf\u00e9']);
    expect(sent.text).not.toMatch(/sec-fetch|"999"|<\/script/i);

    const twice = await sentByFetch({
      ...request,
      headers: [
        { name: 'X-Twice', value: 'a' },
        { name: 'x-twice', value: 'b' },
      ],
    });
    expect(twice.headers.filter(([name]) => name.toLowerCase() === 'x-twice')).toEqual([
      [expect.any(String), 'a, b'],
    ]);
  });
});
