import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Header } from '../../../../lib/capture/store/stored-text.ts';
import { encodeHeaderValue } from '../../../../lib/protocol/header-value.ts';
import { toHeaderFacts } from '../../../../lib/state/detail/header-facts.ts';
import { LogBuilder } from '../log-builder.ts';

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const VERSION: Header = { name: 'MCP-Protocol-Version', value: '2026-07-28' };

function call(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
}

/** The verdicts of all MCP headers of the last request, as lines. */
function factsOf(log: LogBuilder, httpId: string): string[] {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  return toHeaderFacts(correlation.https.get(httpId)!, correlation).map(
    ({ name, decoded, verdicts }) => {
      const words = verdicts.map((verdict) => `${verdict.kind}: ${verdict.words}`).join('; ');
      return `${name}${decoded === undefined ? '' : ` “${decoded}”`} ${words}`;
    },
  );
}

describe('a modern request', () => {
  function check(method: string, params: object, headers: Header[]): string[] {
    const log = new LogBuilder().opened();
    return factsOf(log, log.request(call(method, params), headers));
  }

  test('whose headers say what its body says matches', () => {
    const headers = [
      VERSION,
      { name: 'mcp-method', value: 'resources/read' },
      { name: 'Mcp-Name', value: encodeHeaderValue('file:///ü') },
    ];
    expect(check('resources/read', { uri: 'file:///ü' }, headers)).toEqual([
      'MCP-Protocol-Version same: as in the body',
      'mcp-method same: as in the body',
      'Mcp-Name “file:///ü” same: as in the body',
    ]);
  });

  test('whose headers differ, are twice there or missing does not', () => {
    const headers = [
      { name: 'MCP-Protocol-Version', value: '2025-11-25' },
      { name: 'Mcp-Method', value: 'tools/list' },
      { name: 'mcp-method', value: 'tools/call' },
    ];
    expect(check('tools/call', { name: 'echo' }, headers)).toEqual([
      'MCP-Protocol-Version different: the body has “2026-07-28”',
      'Mcp-Method different: the body has “tools/call”',
      'mcp-method same: as in the body; different: given twice',
      'Mcp-Name missing: not sent; the body has “echo”',
    ]);
  });

  test('with a value that is marked as base64 and is none', () => {
    const headers = [VERSION, { name: 'Mcp-Method', value: '=?base64?%%?=' }];
    expect(check('ping', {}, headers)).toEqual([
      'MCP-Protocol-Version same: as in the body',
      'Mcp-Method different: marked as base64, but no base64 of UTF-8; different: the body has “ping”',
    ]);
  });

  test('with a name where its method has none', () => {
    const headers = [
      VERSION,
      { name: 'Mcp-Method', value: 'ping' },
      { name: 'Mcp-Name', value: 'x' },
    ];
    expect(check('ping', {}, headers).at(-1)).toBe(
      'Mcp-Name different: the body has no such value',
    );
  });
});

describe('a mirrored argument', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'Count' } } },
    },
  };
  const headers = [
    VERSION,
    { name: 'Mcp-Method', value: 'tools/call' },
    { name: 'Mcp-Name', value: 'echo' },
  ];

  function paramFacts(params: Header[], callArguments: object, isListed = true): string[] {
    const log = new LogBuilder().opened();
    if (isListed) {
      const list = log.request(call('tools/list', {}), [VERSION]);
      const result = { tools: [{ name: 'echo', inputSchema }] };
      log.answer(list, JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    }
    const body = call('tools/call', { name: 'echo', arguments: callArguments });
    return factsOf(log, log.request(body, [...headers, ...params])).slice(3);
  }

  test('is compared with the argument that the schema names', () => {
    const params = [
      { name: 'Mcp-Param-Region', value: encodeHeaderValue(' eu ') },
      { name: 'mcp-param-count', value: '7.0' },
    ];
    expect(paramFacts(params, { region: ' eu ', deep: { n: 7 } })).toEqual([
      'Mcp-Param-Region “ eu ” same: as the argument region',
      'mcp-param-count same: as the argument deep.n',
    ]);
    expect(paramFacts(params, { region: 'us' })).toEqual([
      'Mcp-Param-Region “ eu ” different: the argument region has “us”',
      'mcp-param-count different: the argument deep.n has no such value',
    ]);
  });

  test('is only told of where no schema is known, or none mirrors it', () => {
    const params = [{ name: 'Mcp-Param-Other', value: 'x' }];
    expect(paramFacts(params, {})).toEqual([
      'Mcp-Param-Other note: mirrors no argument of this tool',
    ]);
    expect(paramFacts(params, {}, false)).toEqual([
      'Mcp-Param-Other note: no recorded tools/list tells which argument it mirrors',
    ]);
  });
});

test('a session id is told apart from that of another session by its fingerprint', () => {
  const session = (secret: string) => [
    { name: 'Mcp-Session-Id', value: '****', cuts: [{ offset: 0, length: 4, secret, from: 0 }] },
  ];
  const log = new LogBuilder().opened();
  const cuts = [{ offset: 0, length: 4, secret: 'aaaa', from: 0 }];
  log.add({ kind: 'session-assigned', session: '****', cuts, by: 'header' });
  const own = log.request('{"jsonrpc":"2.0","method":"a"}', session('aaaa'));
  const other = log.request('{"jsonrpc":"2.0","method":"a"}', session('bbbb'));
  expect(factsOf(log, own)).toEqual(['Mcp-Session-Id note: the session of this connection']);
  expect(factsOf(log, other)).toEqual([
    'Mcp-Session-Id note: not the session that this connection has now, ‹aaaa›',
  ]);
});

test('a resumption names the event that it goes on after', () => {
  const log = new LogBuilder().opened();
  const first = log.stream();
  log.head(first, 200, 'text/event-stream');
  const next = log.sseEvent(first, 0, '1', 'e1');
  log.sseEvent(first, next, '2', 'e2');
  const resume = (id: string) => {
    const httpId = log.stream();
    const request = log.events.at(-1)!;
    if (request.kind === 'http-request') request.headers.push({ name: 'Last-Event-ID', value: id });
    return httpId;
  };
  const [last, earlier, unknown] = [resume('e2'), resume('e1'), resume('e9')];
  expect(factsOf(log, last)[0]).toContain('event 2 of the GET stream before, the last one');
  expect(factsOf(log, earlier)[0]).toContain('event 1 of the GET stream before, not the last');
  expect(factsOf(log, unknown)[0]).toContain('no event with this id is in the log');
});
