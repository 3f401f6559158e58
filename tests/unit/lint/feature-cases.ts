import type { BuiltCase } from './built-cases.ts';
import { asked, complete, interim, modern } from './modern-log.ts';

const ICONS: BuiltCase[] = [
  [
    'an icon that is a script',
    ['SEC-02 error server'],
    /"javascript:alert\(1\)" is neither HTTPS nor a data: URL/,
    (log) =>
      log.connect({
        result: {
          serverInfo: { name: 's', version: '1', icons: [{ src: 'javascript:alert(1)' }] },
        },
      }),
  ],
  [
    'an icon of somebody else',
    ['SEC-02 warning server'],
    /"https:\/\/cdn\.example\.com\/a\.png" is of another origin/,
    (log) =>
      asked(
        modern(log),
        'tools/call',
        { name: 'x' },
        {
          ...complete(),
          _meta: {
            'io.modelcontextprotocol/serverInfo': {
              name: 's',
              version: '1',
              icons: [
                { src: 'https://cdn.example.com/a.png' },
                { src: 'data:image/png;base64,AA==' },
              ],
            },
          },
        },
      ),
  ],
  [
    'a server on the network without HTTPS',
    ['SEC-02 warning server'],
    /goes to mcp\.example\.com can be read/,
    (log) => {
      log.connect();
      log.request(
        { jsonrpc: '2.0', id: 9, method: 'tools/list' },
        { url: 'http://mcp.example.com/mcp', headers: log.headers() },
      );
    },
  ],
];

const DEPRECATED: BuiltCase[] = [
  [
    'a modern server that asks for roots',
    ['SEC-03 info server'],
    /The server uses roots, which 2026-07-28 deprecates/,
    (log) =>
      asked(
        modern(log),
        'tools/call',
        { name: 'x' },
        interim({
          inputRequests: { a: { method: 'roots/list' } },
        }),
      ),
  ],
  [
    'a modern server that asks for sampling with its own context',
    ['SEC-03 info server'],
    /The server uses sampling with includeContext/,
    (log) =>
      asked(
        modern(log),
        'tools/call',
        { name: 'x' },
        interim({
          inputRequests: {
            a: {
              method: 'sampling/createMessage',
              params: { messages: [], maxTokens: 9, includeContext: 'allServers' },
            },
          },
        }),
      ),
  ],
];

/** Broken peers whose fault is in what they offer or ask for. */
export const FEATURE_CASES: readonly BuiltCase[] = [...ICONS, ...DEPRECATED];
