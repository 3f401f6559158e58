import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainJson } from '../../../lib/json/jsonc.ts';
import { readClientConfig } from '../../../lib/profiles/client-config.ts';

const read = (config: unknown) => readClientConfig(JSON.stringify(config));

describe('configurations of clients', () => {
  test('reads mcpServers, with headers, and says why it passes over what only a command starts', () => {
    const found = read({
      mcpServers: {
        docs: { url: 'https://docs.example/mcp', headers: { 'X-Api-Key': 'k', Accept: 'a/b' } },
        old: { type: 'sse', url: 'http://127.0.0.1:3001/sse' },
        files: { command: 'npx', args: ['-y', 'server-filesystem'] },
        wind: { serverUrl: 'https://wind.example/mcp' },
      },
    });
    expect(found.servers).toMatchObject([
      {
        name: 'docs',
        url: 'https://docs.example/mcp',
        transport: 'auto',
        headers: [
          { name: 'X-Api-Key', value: 'k', secret: true },
          { name: 'Accept', value: 'a/b', secret: false },
        ],
      },
      { name: 'old', transport: 'http-sse' },
      { name: 'wind', url: 'https://wind.example/mcp' },
    ]);
    expect(found.passedOver).toEqual([{ name: 'files', why: expect.stringContaining('stdio') }]);
  });

  test('reads VS Code with comments and commas, and asks for what it would have asked for', () => {
    const found = readClientConfig(`\uFEFF// mine
      {
        "inputs": [{ "id": "token", "type": "promptString", "password": true }],
        "servers": {
          "hub": { "type": "http", "url": "https://hub.example/a//b", /* why */
            "headers": { "Authorization": "Bearer \${input:token}", }, },
        },
      }`);
    expect(found.servers).toEqual([
      {
        name: 'hub',
        url: 'https://hub.example/a//b',
        transport: 'auto',
        headers: [{ name: 'Authorization', value: 'Bearer ', secret: true }],
        notes: ['Fill in the header Authorization: its value stands in ${input:token}.'],
      },
    ]);
    expect(read({ mcp: { servers: { a: { url: 'wss://a.example' } } } }).servers).toMatchObject([
      { name: 'a', transport: 'websocket' },
    ]);
  });

  test('reads lists of servers that name themselves, and their headers in any shape', () => {
    const { servers } = readClientConfig(
      JSON.stringify({
        mcp_servers: [
          { type: 'url', name: 'api', url: 'https://a/mcp', authorization_token: 't1' },
          {
            server_label: 'responses',
            server_url: 'https://b/mcp',
            headers: ['X-A: 1', 'X-B:2:3'],
          },
          {
            transport: { type: 'sse', url: 'https://c/sse' },
            headers: [{ name: 'X-C', value: 'c' }],
          },
          { name: 'pairs', url: 'https://d/mcp', headers: [['X-D', 'd'], [7], null] },
        ],
      }),
    );
    expect(servers.map(({ name, url, transport }) => [name, url, transport])).toEqual([
      ['api', 'https://a/mcp', 'auto'],
      ['responses', 'https://b/mcp', 'auto'],
      ['Server 3', 'https://c/sse', 'http-sse'],
      ['pairs', 'https://d/mcp', 'auto'],
    ]);
    expect(servers.flatMap(({ headers }) => headers)).toEqual([
      { name: 'Authorization', value: 'Bearer t1', secret: true },
      { name: 'X-A', value: '1', secret: false },
      { name: 'X-B', value: '2:3', secret: false },
      { name: 'X-C', value: 'c', secret: false },
      { name: 'X-D', value: 'd', secret: false },
    ]);
  });

  test('reads servers that stand under `mcp` by their names', () => {
    const mcp = { docs: { type: 'remote', url: 'https://a/mcp' }, run: { command: ['x'] } };
    const { servers, passedOver } = readClientConfig(JSON.stringify({ mcp }));
    expect(servers).toMatchObject([{ name: 'docs', url: 'https://a/mcp' }]);
    expect(passedOver).toMatchObject([{ name: 'run' }]);
  });

  test('reaches a server behind a bridge without the bridge', () => {
    const args = ['-y', 'mcp-remote@latest', 'https://far.example/mcp'];
    const header = ['--header', 'Authorization: Bearer ${TOKEN}'];
    const found = read({ mcpServers: { far: { command: 'npx', args: [...args, ...header] } } });
    expect(found.servers).toMatchObject([
      {
        url: 'https://far.example/mcp',
        headers: [{ name: 'Authorization', value: 'Bearer ', secret: true }],
      },
    ]);
    expect(found.servers[0]?.notes).toHaveLength(2);
  });

  test('reads the remotes of a registry, alone, in an envelope and in a list', () => {
    const server = {
      name: 'io.example/weather',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://{region}.weather.example/mcp',
          headers: [
            { name: 'Authorization', value: 'Bearer {key}', isSecret: true, isRequired: true },
            { name: 'X-Unit', default: 'metric' },
            { name: 'X-Team', description: 'Your team.', isRequired: true },
          ],
        },
      ],
    };
    const expected = {
      name: 'io.example/weather',
      url: 'https://{region}.weather.example/mcp',
      transport: 'auto',
      headers: [
        { name: 'Authorization', value: 'Bearer ', secret: true },
        { name: 'X-Unit', value: 'metric', secret: false },
        { name: 'X-Team', value: '', secret: false },
      ],
    };
    const listed = { servers: [{ server }, { name: 'local', packages: [{}] }] };
    expect(read(server).servers).toMatchObject([expected]);
    expect(read({ server }).servers).toMatchObject([expected]);
    expect(read(listed)).toMatchObject({
      servers: [expected],
      passedOver: [{ name: 'local', why: expect.stringContaining('package') }],
    });
    expect(read(server).servers[0]?.notes).toEqual([
      'Fill in the URL: {region}.',
      'Fill in the header Authorization: its value stands in ${key}.',
      'Fill in the header X-Team: Your team.',
    ]);
  });

  test.each([
    ['{"a": 1', /line 1, column 8/, /whole file/],
    ['[mcp_servers.docs]\nurl = "https://a.example"', /not JSON/, /TOML/],
    ['[]', /no MCP servers/, /mcpServers/],
    ['{"mcpServers": 3}', /no MCP servers/, /mcpServers/],
  ])('says of %j what is wrong with it', (text, message, advice) => {
    expect(() => readClientConfig(text)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({
          message: expect.stringMatching(message),
          advice: expect.stringMatching(advice),
        }),
      }),
    );
  });

  test('takes hostile names and values for what they are', () => {
    const found = readClientConfig(
      '{"mcpServers":{"__proto__":{"url":"https://p.example"},"x":null,"y":{"url":7},"z":{"url":"https://z.example","headers":{"A":[1]}}}}',
    );
    expect(found.servers.map(({ name }) => name)).toEqual(['__proto__', 'z']);
    expect(found.passedOver.map(({ name }) => name)).toEqual(['x', 'y']);
    expect(found.servers[1]?.notes).toHaveLength(1);
  });
});

describe('JSON with comments', () => {
  test('leaves plain JSON as it is, and every place where it was', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(plainJson(text)).toBe(text);
      }),
    );
  });

  test('takes out comments and last commas, and no text that looks like one', () => {
    const text = '{/* a\n b */"u": "http://x/*y*/", // c\n "l": [1, 2, ], }';
    const plain = plainJson(text);
    expect(JSON.parse(plain)).toEqual({ u: 'http://x/*y*/', l: [1, 2] });
    expect(plain).toHaveLength(text.length);
    expect(plain.indexOf('\n')).toBe(text.indexOf('\n'));
  });

  test('a comment without an end ends with the text, in no time', () => {
    const text = `{"a":1}${'/* '.repeat(200_000)}`;
    const started = performance.now();
    expect(plainJson(text).trimEnd()).toBe('{"a":1}');
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('what people paste', () => {
  const url = 'https://a.example/mcp';
  test.each<[string, string]>([
    ['an entry without a name', `{"url":"${url}"}`],
    ['entries without what is around them', `{"a":{"url":"${url}"}}`],
    ['an entry out of instructions, without braces', `"a": {"url":"${url}"},`],
    ['the list without the braces of the file', `"mcpServers": {"a":{"url":"${url}"}}`],
    ['the settings of Amp', `{"amp.mcpServers":{"a":{"url":"${url}"}}}`],
    ['the extensions of Goose', `{"extensions":{"a":{"type":"sse","uri":"${url}"},"b":{"x":1}}}`],
    [
      'the tools of a request to OpenAI',
      `{"tools":[{"type":"function"},{"type":"mcp","server_label":"a","server_url":"${url}"}]}`,
    ],
  ])('%s is read', (_name, text) => {
    const { servers, passedOver } = readClientConfig(text);
    expect(servers.map((server) => server.url)).toEqual([url]);
    expect(passedOver).toEqual([]);
  });

  test.each<[string, string, RegExp]>([
    ['name: x\nmcpServers:\n  - url: https://a', 'YAML', /YAML/],
    ['[mcp_servers.a]\nurl = "https://a"', 'TOML', /TOML/],
    ['{“mcpServers”: {}}', 'typographic quotation marks', /quotation marks/],
    [url, 'a URL', /type it where you connect/],
    [' ', 'nothing', /empty/],
    ['{\0"\0a\0', 'UTF-16', /save it as UTF-8/],
  ])('%j is refused as %s', (text, _what, advice) => {
    expect(() => readClientConfig(text)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ advice: expect.stringMatching(advice) }),
      }),
    );
  });

  test('URLs that no server has are passed over, and what a URL gives away is left out of it', () => {
    const { servers, passedOver } = readClientConfig(
      JSON.stringify({
        mcpServers: {
          script: { url: 'javascript:alert(1)' },
          file: { url: 'file:///etc/passwd' },
          port: { url: 'localhost:3000/mcp' },
          user: { url: 'https://me:pass@a.example/mcp' },
        },
      }),
    );
    expect(passedOver.map(({ name }) => name)).toEqual(['script', 'file']);
    expect(servers.map((server) => server.url)).toEqual(['localhost:3000/mcp', url]);
    expect(servers[1]?.notes).toEqual([expect.stringContaining('Authorization')]);
  });

  test('headers of Codex, and what it would take from the environment', () => {
    const { servers } = readClientConfig(
      JSON.stringify({
        mcp_servers: {
          a: { url, http_headers: { 'X-A': 1 }, env_http_headers: { 'X-Key': 'KEY' } },
        },
      }),
    );
    expect(servers[0]?.headers.map(({ name, value }) => [name, value])).toEqual([
      ['X-A', '1'],
      ['X-Key', ''],
    ]);
    expect(servers[0]?.notes).toEqual([expect.stringContaining('${KEY}')]);
  });
});
