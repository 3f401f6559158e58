import type { BuiltCase } from './built-cases.ts';
import { result, type LintLog } from './lint-log.ts';
import {
  asked,
  cacheable,
  complete,
  interim,
  modern,
  onSubscription,
  subscription,
} from './modern-log.ts';

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

function serverAsks(log: LintLog, method: string, params: Record<string, unknown>): void {
  const { httpId, id } = log.streamed();
  log.message(httpId, { jsonrpc: '2.0', id: 'a', method, params });
  log.message(httpId, result(id, { content: [] }));
  log.end(httpId);
}

function page(nextCursor?: string): (id: number) => unknown {
  return (id) => result(id, { tools: [], ...(nextCursor === undefined ? {} : { nextCursor }) });
}

const CLIENTS: BuiltCase[] = [
  [
    'a root on the web',
    ['ROO-01 error client'],
    /The root "https:\/\/example\.com\/" is no file:\/\/ URI/,
    (log) => {
      log.connect({ client: { roots: {} } });
      serverAsks(log, 'roots/list', {});
      const roots = [{ uri: 'file:///a' }, { uri: 'https://example.com/' }];
      const httpId = log.request(result('a', { roots }));
      log.respond(httpId, 202);
      log.end(httpId);
    },
  ],
  [
    'a cursor that the client has made up',
    ['PAG-01 error client'],
    /carries the cursor "a1", which the server did not give out/,
    (log) => {
      log.connect().asked(page('a'));
      log.asked(page(), 'tools/list', { cursor: 'a1' });
    },
  ],
  [
    'a client that stops at an empty cursor',
    ['PAG-01 warning client'],
    /was not asked for the page behind the cursor ""/,
    (log) => {
      log.connect().asked(page('a'));
      log.asked(page(''), 'tools/list', { cursor: 'a' });
      log.terminate();
      log.closed();
    },
  ],
];

const TASK = {
  taskId: 't',
  status: 'working',
  createdAt: '2026-11-30T10:00:00Z',
  lastUpdatedAt: '2026-11-30T10:00:00Z',
  ttl: null,
  pollInterval: 500,
};
const RUNS_TASKS = { tools: {}, tasks: { requests: { tools: { call: {} } } } };

function polls(log: LintLog, ...waits: number[]): void {
  log.connect({ server: RUNS_TASKS });
  log.asked((id) => result(id, { task: TASK }), 'tools/call', { name: 'x', task: {} });
  for (const ms of waits) {
    log.wait(ms).asked((id) => result(id, TASK), 'tasks/get', { taskId: 't' });
  }
}

const EXTENDED = {
  clientCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};
const { ttl: _ttl, pollInterval: _pollInterval, ...TOLD } = TASK;
const MODERN_TASK = { ...TOLD, ttlMs: null, pollIntervalMs: 500 };

/** A modern client that knows tasks, and what it is told of one. */
function modernTask(log: LintLog, ...told: [method: string, value: Record<string, unknown>][]) {
  modern(log);
  for (const [method, value] of told) {
    const params = { name: 'x', uri: 'a:b', taskId: 't' };
    const headers = method === 'tasks/get' ? { 'Mcp-Name': 't' } : {};
    const answer = complete({ ...MODERN_TASK, ...value });
    asked(log, method, params, answer, { envelope: EXTENDED, headers });
  }
}

const TASKS: BuiltCase[] = [
  [
    'a task that the server did not offer',
    ['TSK-01 error client'],
    /the server did not declare `tasks\.requests\.tools\.call`/,
    (log) => {
      log.connect();
      log.asked((id) => result(id, { content: [] }), 'tools/call', { name: 'x', task: {} });
    },
  ],
  [
    'a client that asks about a task too often',
    ['TSK-01 warning client'],
    /asked about again after \d+ ms; its pollInterval is 500 ms/,
    (log) => polls(log, 600, 100),
  ],
  [
    'a task that is over from the beginning',
    ['TSK-01 error server'],
    /begins as "completed", not as "working"/,
    (log) => {
      log.connect({ server: RUNS_TASKS });
      const task = { ...TASK, status: 'completed' };
      log.asked((id) => result(id, { task }), 'tools/call', { name: 'x', task: {} });
    },
  ],
  [
    'a task in place of a resource',
    ['TSK-02 error server'],
    /`resources\/read` was answered by a task; only `tools\/call` may be/,
    (log) => modernTask(log, ['resources/read', { resultType: 'task' }]),
  ],
  [
    'a key of a task that is used for another question',
    ['TSK-02 error server'],
    /asks for something else under the key "name"/,
    (log) => {
      const ask = (message: string) => ({
        status: 'input_required',
        inputRequests: {
          name: {
            method: 'elicitation/create',
            params: { message, requestedSchema: { type: 'object', properties: {} } },
          },
        },
      });
      modernTask(log, ['tools/call', { resultType: 'task' }], ['tasks/get', ask('Name?')]);
      log.wait(600);
      const headers = { 'Mcp-Name': 't' };
      const answer = complete({ ...MODERN_TASK, ...ask('Age?') });
      asked(log, 'tasks/get', { taskId: 't' }, answer, { envelope: EXTENDED, headers });
    },
  ],
  [
    'a modern client that asks about a task too often',
    ['TSK-02 warning client'],
    /its pollIntervalMs is 500/,
    (log) =>
      modernTask(log, ['tools/call', { resultType: 'task' }], ['tasks/get', {}], ['tasks/get', {}]),
  ],
];

const ASKING: BuiltCase[] = [
  [
    'an elicitation in a mode that the client does not have',
    ['ELI-01 error server'],
    /by the mode "url", which the client did not declare/,
    (log) => {
      log.connect({ client: { elicitation: {} } });
      const params = { mode: 'url', url: 'https://example.com/', elicitationId: 'e', message: '' };
      serverAsks(log, 'elicitation/create', params);
    },
  ],
  [
    'an error that names a page without saying which',
    ['ELI-02 error server'],
    /its url is nothing/,
    (log) => {
      log.connect({ client: { elicitation: { url: {} } } });
      const data = { elicitations: [{ mode: 'url', elicitationId: 'e', message: 'Please' }] };
      const error = { code: -32042, message: 'A page has to be opened first', data };
      log.asked((id) => ({ jsonrpc: '2.0', id, error }), 'tools/call', { name: 'x' });
    },
  ],
  [
    'sampling with tools that the client does not have',
    ['SAM-01 error server'],
    /did not declare `sampling\.tools`/,
    (log) => {
      log.connect({ client: { sampling: {} } });
      serverAsks(log, 'sampling/createMessage', { messages: [], maxTokens: 9, tools: [] });
    },
  ],
  [
    'results of tools among other blocks',
    ['SAM-01 error server'],
    /message 1 mixes tool_result with other blocks/,
    (log) => {
      log.connect({ client: { sampling: {} } });
      const content = [
        { type: 'tool_result', toolUseId: 'u' },
        { type: 'text', text: '' },
      ];
      serverAsks(log, 'sampling/createMessage', {
        messages: [{ role: 'user', content }],
        maxTokens: 9,
      });
    },
  ],
];

const TOLD_ASKING: BuiltCase[] = [
  [
    'a task that tells by itself of a form that is nested',
    ['ELI-01 error server'],
    /The form of an elicitation cannot be shown/,
    (log) => {
      modern(log);
      const filter = { taskIds: ['t'] };
      const { httpId, id } = subscription(log, filter);
      const requestedSchema = { type: 'object', properties: { a: { type: 'object' } } };
      const params = { message: 'Please', requestedSchema };
      const inputRequests = { a: { method: 'elicitation/create', params } };
      const told = { ...MODERN_TASK, status: 'input_required', inputRequests };
      log.message(httpId, onSubscription(id, 'notifications/tasks', told));
    },
  ],
];

const LISTS: BuiltCase[] = [
  [
    'other tools on another connection, while the list is fresh',
    ['TOO-05 warning server'],
    /Another connection was told other tools, and told that they last: "b" is here only/,
    (log) => {
      for (const [connectionId, names] of [
        ['one', ['a']],
        ['two', ['a', 'b']],
      ] as const) {
        log.connectionId = connectionId;
        const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
        asked(modern(log), 'tools/list', {}, cacheable({ tools, ttlMs: 60_000 }));
      }
    },
  ],
];

/** Broken peers whose fault is in what they offer or ask for. */
export const FEATURE_CASES: readonly BuiltCase[] = [
  ...ICONS,
  ...DEPRECATED,
  ...CLIENTS,
  ...TASKS,
  ...ASKING,
  ...TOLD_ASKING,
  ...LISTS,
];
