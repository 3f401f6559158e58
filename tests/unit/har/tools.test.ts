import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { openHarFile } from '../../../lib/har/read/open-har-file.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
const INITIALIZED =
  '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}';
const URL_ = 'https://mcp.example.com/mcp';

async function read(log: object) {
  const file = await openHarFile(new Blob([JSON.stringify({ log })]));
  const { events, repairs } = await readHar(file, { captureId: 'imported' });
  const correlation = createCorrelation();
  correlation.apply(events);
  return {
    connections: [...correlation.connections.values()].map(({ transport, revision }) => [
      transport,
      revision,
    ]),
    requests: correlation.items.flatMap((item) =>
      item.kind === 'request' ? [`${item.method} ${item.outcome}`] : [],
    ),
    left: repairs.filter(({ what }) => what.startsWith('left out')),
    count: events.filter(({ kind }) => kind === 'http-request').length,
  };
}

const EXPECTED = {
  connections: [['streamable-http', '2025-06-18']],
  requests: ['initialize result', 'tools/list result'],
  left: [],
};

/** Files as these tools are known to write them; none of them was at hand. */
describe('a file of', () => {
  test('Charles: no pages, null texts, pseudo-headers, JSON as the name of a field', async () => {
    const entry = (body: string, answer: string, second: number) => ({
      startedDateTime: `2026-11-30T10:00:0${second}.000+01:00`,
      time: 12,
      request: {
        method: 'POST',
        url: URL_,
        httpVersion: 'HTTP/2.0',
        headers: [
          { name: ':method', value: 'POST' },
          { name: 'content-type', value: 'application/json' },
        ],
        postData: { mimeType: 'application/json', params: [{ name: body, value: '' }] },
        headersSize: 0,
        bodySize: body.length,
      },
      response: {
        _charlesStatus: 'COMPLETE',
        status: 200,
        statusText: null,
        redirectURL: null,
        headers: [{ name: ':status', value: '200' }],
        content: {
          size: answer.length,
          mimeType: 'application/json',
          text: btoa(answer),
          encoding: 'base64',
        },
        headersSize: 0,
      },
      timings: { send: 1, wait: 10, receive: 1 },
    });
    const entries = [entry(INITIALIZE, INITIALIZED, 0), entry(CALL, ANSWER, 1)];
    expect(
      await read({ version: '1.2', creator: { name: 'Charles Proxy' }, entries }),
    ).toMatchObject(EXPECTED);
  });

  test('Proxyman: no pages, entries without an answer, frames in Chrome’s form', async () => {
    const post = (body: string, response: object | undefined, second: number) => ({
      startedDateTime: `2026-11-30T09:00:0${second}.000Z`,
      request: {
        method: 'POST',
        url: URL_,
        headers: [],
        postData: { mimeType: 'application/json', text: body },
      },
      ...(response === undefined ? {} : { response }),
    });
    const answer = (text: string) => ({
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { mimeType: 'application/json', text },
    });
    const found = await read({
      version: '1.2',
      creator: { name: 'Proxyman' },
      entries: [
        post(INITIALIZE, answer(INITIALIZED), 0),
        post(CALL, answer(ANSWER), 1),
        post('{"jsonrpc":"2.0","id":2,"method":"ping"}', undefined, 2),
      ],
    });
    expect(found).toMatchObject({ ...EXPECTED, requests: [...EXPECTED.requests, 'ping failed'] });
  });

  test('Safari: times and sizes of 0, headers as an object', async () => {
    const entry = (body: string, text: string) => ({
      startedDateTime: '2026-11-30T09:00:00.000Z',
      time: 0,
      request: {
        method: 'POST',
        url: URL_,
        headers: { Accept: 'application/json' },
        postData: { mimeType: 'application/json', text: body },
      },
      response: {
        status: 200,
        statusText: '',
        headers: { 'Content-Type': 'application/json' },
        cookies: [{ name: 'a', value: 'b', expires: '' }],
        content: { size: 0, mimeType: 'application/json', text },
        _fetchType: 'Network Load',
      },
      timings: {},
    });
    const entries = [entry(INITIALIZE, INITIALIZED), entry(CALL, ANSWER)];
    expect(
      await read({ version: '1.2', creator: { name: 'WebKit Web Inspector' }, entries }),
    ).toMatchObject(EXPECTED);
  });

  test('HTTP Toolkit: Chrome’s lists of frames, status 101, a failure as a comment', async () => {
    const at = (ms: number) => Date.UTC(2026, 10, 30, 9) / 1000 + ms / 1000;
    const found = await read({
      version: '1.2',
      creator: { name: 'HTTP Toolkit' },
      entries: [
        {
          startedDateTime: '2026-11-30T09:00:00.000Z',
          request: { method: 'GET', url: 'wss://mcp.example.com/ws', headers: [] },
          response: {
            status: 101,
            headers: [{ name: 'Sec-WebSocket-Protocol', value: 'mcp' }],
            content: {},
          },
          _resourceType: 'websocket',
          _webSocketMessages: [
            { type: 'send', opcode: 1, data: INITIALIZE, time: at(10) },
            { type: 'receive', opcode: 1, data: INITIALIZED, time: at(20) },
            { type: 'send', opcode: 1, data: CALL, time: at(30) },
            { type: 'receive', opcode: 1, data: ANSWER, time: at(40) },
          ],
        },
        {
          startedDateTime: '2026-11-30T09:00:01.000Z',
          request: { method: 'GET', url: 'https://other.example/', headers: [] },
          response: { status: -1, comment: 'aborted' },
        },
      ],
    });
    expect(found).toMatchObject({
      ...EXPECTED,
      connections: [['websocket', '2025-06-18']],
      count: 1,
    });
  });

  test('chrome-har: members of JSON as a list of fields', async () => {
    const fields = (text: string) =>
      Object.entries(JSON.parse(text)).map(([name, value]) => ({ name, value }));
    const entry = (body: string, text: string, second: number) => ({
      startedDateTime: `2026-11-30T09:00:0${second}.000Z`,
      time: 3,
      request: {
        method: 'POST',
        url: URL_,
        headers: [],
        postData: { mimeType: 'application/json', params: fields(body) },
      },
      response: { status: 200, headers: [], content: { mimeType: 'application/json', text } },
      timings: { wait: 1 },
    });
    const entries = [entry(INITIALIZE, INITIALIZED, 0), entry(CALL, ANSWER, 1)];
    expect(await read({ version: '1.2', creator: { name: 'chrome-har' }, entries })).toMatchObject(
      EXPECTED,
    );
  });
});
