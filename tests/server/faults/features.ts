import { event, json, result, stream } from '../scripted-behaviour.ts';
import type { Answer, Reply, Script } from '../scripted.ts';

type Members = Record<string, unknown>;

/** What is wrong with what a server offers, or asks for. */
export interface FeatureFault {
  about: string;
  /** The revision that it speaks. */
  revision: string;
  /** Answers by method. */
  script: Script;
  /** What a client has to send to meet the fault. */
  calls: [method: string, params?: Members][];
  /** It shows only to who compares what two connections are told. */
  isForTwo?: true;
}

const META = 'io.modelcontextprotocol/';
const MODERN = '2026-07-28';
const OBJECT = { type: 'object' };
const CAPABILITIES = {
  tools: {},
  resources: {},
  prompts: {},
  logging: {},
  completions: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};

/** The handshake of a server with everything. */
function handshake(revision: string, capabilities: Members = CAPABILITIES): Script {
  const serverInfo = { name: 'faulty', version: '1' };
  if (revision === MODERN) {
    const { tasks: _tasks, completions: _completions, ...own } = capabilities;
    const extensions = { [`${META}tasks`]: {} };
    return {
      'server/discover': answered({
        supportedVersions: [MODERN],
        capabilities: { ...own, completions: {}, extensions },
        ttlMs: 0,
        cacheScope: 'private',
        ...modern({}),
      }),
    };
  }
  return { initialize: answered({ protocolVersion: revision, capabilities, serverInfo }) };
}

/** A complete result of a modern server. */
function modern(value: Members): Members {
  const _meta = { [`${META}serverInfo`]: { name: 'faulty', version: '1' } };
  return { resultType: 'complete', _meta, ...value };
}

function cacheable(value: Members): Members {
  return modern({ ttlMs: 0, cacheScope: 'private', ...value });
}

function answered(value: Members): Answer {
  return json(result(JSON.stringify(value)));
}

function notification(method: string, params: Members): string {
  return event(JSON.stringify({ jsonrpc: '2.0', method, params }));
}

/** A call during which the server asks for something. */
function asking(method: string, params: Members): Script {
  const request = JSON.stringify({ jsonrpc: '2.0', id: 'asked-1', method, params });
  // The result comes when the client has answered.
  return {
    'tools/call': stream([event(request), { wait: 'answer' }, event(result('{"content":[]}'))]),
    response: { status: 202, before: [{ open: 'answer' }], framing: 'length' },
  };
}

const CALL: FeatureFault['calls'] = [['tools/call', { name: 'x' }]];
const LIST: FeatureFault['calls'] = [['tools/list']];
const READ: FeatureFault['calls'] = [['resources/read', { uri: 'test:///a' }]];

/** A server of a revision that does one thing wrong, and what leads to it. */
export function fault(
  about: string,
  calls: FeatureFault['calls'],
  script: Script,
  revision = '2025-11-25',
  capabilities?: Members,
): FeatureFault {
  return { about, revision, calls, script: { ...handshake(revision, capabilities), ...script } };
}

/** A tool of a list that has nothing else. */
function tool(value: Members): Script {
  return { 'tools/list': answered({ tools: [{ name: 'x', inputSchema: OBJECT, ...value }] }) };
}

/** A tool with an output schema, and its result. */
function structured(value: Members): Script {
  const outputSchema = {
    type: 'object',
    properties: { degrees: { type: 'number' } },
    required: ['degrees'],
  };
  return { ...tool({ outputSchema }), 'tools/call': answered(value) };
}

function content(block: Members): Script {
  return { 'tools/call': answered({ content: [block] }) };
}

function elicited(params: Members): Script {
  return asking('elicitation/create', { message: 'Please', ...params });
}

function field(name: string, schema: Members): Members {
  return { requestedSchema: { type: 'object', properties: { [name]: schema } } };
}

const TIMES = { createdAt: '2026-11-30T10:00:00Z', lastUpdatedAt: '2026-11-30T10:00:00Z' };

function task(status: string, more: Members = {}): Members {
  return { taskId: 't', status, ttl: null, ...TIMES, ...more };
}

/** A tool that runs as a task, and what is told of it after that. */
function asTask(...told: Members[]): Script {
  return {
    'tools/call': answered({ task: task('working') }),
    'tasks/get': told.map((value) => json(result(JSON.stringify(value)))),
  };
}

const POLL: FeatureFault['calls'] = [
  ['tools/call', { name: 'x', task: {} }],
  ['tasks/get', { taskId: 't' }],
  ['tasks/get', { taskId: 't' }],
];
const MODERN_POLL: FeatureFault['calls'] = [['tasks/get', { taskId: 't' }]];

function polled(value: Members): Script {
  const { ttl: _ttl, ...told } = task('working');
  return { 'tasks/get': answered(modern({ ...told, ttlMs: null, ...value })) };
}

/** Servers by what is wrong with what they offer. */
export const FEATURE_FAULTS: Record<string, FeatureFault> = {
  'log-undeclared': fault(
    'log messages without the capability',
    CALL,
    {
      'tools/call': stream([
        notification('notifications/message', { level: 'info', data: 'x' }),
        event(result('{"content":[]}')),
      ]),
    },
    '2025-11-25',
    { tools: {} },
  ),
  'log-fatal': fault('a log message of a level that there is not', CALL, {
    'tools/call': stream([
      notification('notifications/message', { level: 'fatal', data: 'x' }),
      event(result('{"content":[]}')),
    ]),
  }),
  'log-below': fault(
    'log messages below the level that was set',
    [['logging/setLevel', { level: 'warning' }], ...CALL],
    {
      'logging/setLevel': answered({}),
      'tools/call': stream([
        notification('notifications/message', { level: 'info', data: 'x' }),
        event(result('{"content":[]}')),
      ]),
    },
  ),
  'no-input-schema': fault('a tool without an input schema', LIST, tool({ inputSchema: null })),
  'bad-schema': fault(
    'a tool whose schema has a type that there is not',
    LIST,
    tool({ inputSchema: { type: 'object', properties: { a: { type: 'strng' } } } }),
  ),
  'array-output': fault(
    'a tool whose output schema is not one of an object',
    LIST,
    tool({ outputSchema: { type: 'array' } }),
    '2025-06-18',
  ),
  'no-structured': fault(
    'a tool with an output schema, and a result of text only',
    [...LIST, ...CALL],
    structured({ content: [{ type: 'text', text: '20 degrees' }] }),
  ),
  'misfit-structured': fault(
    'a result that does not fit the output schema of its tool',
    [...LIST, ...CALL],
    structured({ content: [{ type: 'text', text: '{}' }], structuredContent: { degrees: '20' } }),
  ),
  'no-text': fault(
    'a structured result without its text',
    [...LIST, ...CALL],
    structured({ content: [], structuredContent: { degrees: 20 } }),
  ),
  'odd-name': fault('a tool with a space in its name', LIST, tool({ name: 'a b' })),
  'link-too-early': fault(
    'a link to a resource in 2025-03-26',
    CALL,
    content({ type: 'resource_link', uri: 'test:///a', name: 'a' }),
    '2025-03-26',
  ),
  'bad-image': fault(
    'an image that is not base64',
    CALL,
    content({ type: 'image', data: 'no base64!', mimeType: 'image/png' }),
  ),
  'prompt-block': fault('a prompt with content without a type', [['prompts/get', { name: 'p' }]], {
    'prompts/get': answered({ messages: [{ role: 'user', content: { text: 'x' } }] }),
  }),
  'no-uri': fault('contents of a resource without a uri', READ, {
    'resources/read': answered({ contents: [{ text: 'x' }] }),
  }),
  'missing-resource': fault('a missing resource refused as an internal error', READ, {
    'resources/read': json(
      '{"jsonrpc":"2.0","id":$id,"error":{"code":-32603,"message":"Resource not found"}}',
    ),
  }),
  'null-tools': fault('tools that are null', LIST, { 'tools/list': answered({ tools: null }) }),
  'null-titles': fault('null where a member may be left out', [['prompts/list']], {
    'prompts/list': answered({
      prompts: [
        { name: 'p', title: null, description: null, arguments: [{ name: 'a', required: 1 }] },
      ],
    }),
  }),
  'system-prompt': fault('a role that there is not', [['prompts/get', { name: 'p' }]], {
    'prompts/get': answered({
      messages: [{ role: 'system', content: { type: 'text', text: '' } }],
    }),
  }),
  'same-prompts': fault('two prompts with one name', [['prompts/list']], {
    'prompts/list': answered({ prompts: [{ name: 'p' }, { name: 'p' }] }),
  }),
  'pathless-resource': fault('a uri without a scheme', [['resources/list']], {
    'resources/list': answered({ resources: [{ uri: 'readme', name: 'a' }] }),
  }),
  'open-template': fault('a template that is not closed', [['resources/templates/list']], {
    'resources/templates/list': answered({
      resourceTemplates: [{ uriTemplate: 'test:///{a', name: 'a' }],
    }),
  }),
  'null-cursor': fault('a nextCursor that is null', LIST, {
    'tools/list': answered({ tools: [], nextCursor: null }),
  }),
  endless: fault(
    'a list without an end',
    [['resources/list'], ['resources/list', { cursor: 'a' }]],
    { 'resources/list': answered({ resources: [], nextCursor: 'a' }) },
  ),
  'many-completions': fault(
    '101 completions',
    [
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } },
      ],
    ],
    {
      'completion/complete': answered({
        completion: { values: Array.from({ length: 101 }, (_, index) => `v${index}`) },
      }),
    },
  ),
  'nested-form': fault(
    'a form with an object in it',
    CALL,
    elicited(field('address', { type: 'object', properties: {} })),
  ),
  'secret-form': fault(
    'a form that asks for a password',
    CALL,
    elicited(field('password', { type: 'string' })),
  ),
  'no-url': fault('URL mode without a URL', CALL, elicited({ mode: 'url', url: 'nowhere' })),
  'plain-url': fault(
    'URL mode without HTTPS',
    CALL,
    elicited({ mode: 'url', elicitationId: 'e', url: 'http://example.com/' }),
  ),
  'no-max-tokens': fault(
    'a sampling request without maxTokens',
    CALL,
    asking('sampling/createMessage', { messages: [] }),
  ),
  'open-tool-use': fault(
    'a sampling request in which a use of a tool is not answered',
    CALL,
    asking('sampling/createMessage', {
      maxTokens: 9,
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'n', input: {} }] },
        { role: 'user', content: { type: 'text', text: 'Go on' } },
      ],
    }),
  ),
  'revived-task': fault(
    'a task that works on after it was completed',
    POLL,
    asTask(task('completed'), task('working')),
  ),
  'timeless-task': fault(
    'a task that does not say when it began',
    POLL,
    asTask(task('working', { createdAt: undefined })),
  ),
  'unrelated-result': fault(
    'the result of a task that does not name it',
    [...POLL.slice(0, 1), ['tasks/result', { taskId: 't' }]],
    { ...asTask(), 'tasks/result': answered({ content: [] }) },
  ),
  'modern-order': fault(
    'tools in another order each time',
    [...LIST, ...LIST],
    {
      'tools/list': [
        ['a', 'b'],
        ['b', 'a'],
      ].map((names) => {
        const tools = names.map((name) => ({ name, inputSchema: OBJECT }));
        return json(result(JSON.stringify(cacheable({ tools }))));
      }),
    },
    MODERN,
  ),
  'modern-network-ref': fault(
    'a schema that refers to the network',
    LIST,
    {
      'tools/list': answered(
        cacheable({
          tools: [
            {
              name: 'x',
              inputSchema: { ...OBJECT, properties: { a: { $ref: 'https://example.com/a' } } },
            },
          ],
        }),
      ),
    },
    MODERN,
  ),
  'modern-no-contents': fault(
    'a missing resource answered by no contents',
    READ,
    { 'resources/read': answered(cacheable({ contents: [] })) },
    MODERN,
  ),
  'modern-null-cursor': fault(
    'a nextCursor that is null, in 2026-07-28',
    LIST,
    { 'tools/list': answered(cacheable({ tools: [], nextCursor: null })) },
    MODERN,
  ),
  'modern-varying-list': {
    ...fault(
      'other tools on each connection, with the word that they last',
      LIST,
      {
        'tools/list': [
          answered(cacheable({ tools: [{ name: 'a', inputSchema: OBJECT }], ttlMs: 60_000 })),
          answered(cacheable({ tools: [{ name: 'b', inputSchema: OBJECT }], ttlMs: 60_000 })),
        ] as Reply[],
      },
      MODERN,
    ),
    isForTwo: true,
  },
  'modern-failed-task': fault(
    'a task that is failed because its tool says isError',
    MODERN_POLL,
    polled({ status: 'failed', result: { content: [], isError: true } }),
    MODERN,
  ),
  'modern-poll-type': fault(
    'a poll answered by the resultType "task"',
    MODERN_POLL,
    polled({ resultType: 'task' }),
    MODERN,
  ),
  'odd-icon': fault(
    'an icon that is a script',
    LIST,
    tool({ icons: [{ src: 'javascript:alert(1)' }] }),
  ),
  'foreign-icon': fault(
    'an icon of another origin',
    LIST,
    tool({ icons: [{ src: 'https://cdn.example.com/a.png' }] }),
  ),
};
