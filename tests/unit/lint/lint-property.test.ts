import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import type { Detectors } from '../../../lib/lint/facts.ts';
import { createLint } from '../../../lib/lint/lint.ts';
import type { Issue } from '../../../lib/lint/issue.ts';
import { FAMILIES } from '../../../lib/lint/run.ts';
import { rulesAtHand, startLint } from '../../support/rules.ts';
import { AUTHORIZATION_CASES } from './authorization-cases.ts';
import { SERVER, Steps } from './authorization-log.ts';
import { BUILT_CASES } from './built-cases.ts';
import { MODERN_CASES } from './modern-cases.ts';
import { modern } from './modern-log.ts';
import { FEATURE_CASES } from './feature-cases.ts';
import { issuesIn, lintBatches, LintLog, notification, result } from './lint-log.ts';

/** One log with the connections of all broken peers, one after the other. */
function everyBrokenPeer(): WireEvent[] {
  const events: WireEvent[] = [];
  for (const [index, [, , , write]] of [
    ...BUILT_CASES,
    ...MODERN_CASES,
    ...AUTHORIZATION_CASES,
    ...FEATURE_CASES,
  ].entries()) {
    const log = new LintLog(`c${index}`);
    write(log);
    const before = events.length;
    for (const event of log.events) events.push({ ...event, sequence: event.sequence + before });
  }
  return events;
}

function cut(events: readonly WireEvent[], sizes: readonly number[]): WireEvent[][] {
  const batches: WireEvent[][] = [];
  for (let from = 0, index = 0; from < events.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    batches.push(events.slice(from, from + size));
    from += size;
  }
  return batches;
}

/** Everything that can be seen of the issues. */
function seen(batches: readonly (readonly WireEvent[])[]): unknown {
  const { issues, items, issuesOf } = lintBatches(batches);
  return { issues, rows: items.map(({ key }) => [key, issuesOf(key).map(({ ruleId }) => ruleId)]) };
}

test('however a log is cut into batches, the issues are the same', () => {
  const events = everyBrokenPeer();
  const expected = seen(events.map((event) => [event]));
  expect(seen([events])).toEqual(expected);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }),
      (sizes) => {
        expect(seen(cut(events, sizes))).toEqual(expected);
      },
    ),
    { numRuns: 20 },
  );
}, 60_000);

/** Notes what every detector throws, and lets it pass on. */
function watchDetectors() {
  const thrown: unknown[] = [];
  const undo: (() => void)[] = [];

  function watch(family: Detectors): Detectors {
    for (const list of Object.values(family) as ((subject: unknown) => unknown)[][]) {
      const originals = [...list];
      undo.push(() => list.splice(0, list.length, ...originals));
      for (const [index, detect] of list.entries()) {
        list[index] = (subject) => {
          try {
            return detect(subject);
          } catch (error) {
            thrown.push(error);
            throw error;
          }
        };
      }
    }
    return family;
  }

  for (const family of FAMILIES) watch(family);
  return {
    thrown,
    issuesIn(log: LintLog): readonly Issue[] {
      const correlation = createCorrelation();
      const lint = createLint(correlation, undefined, (name) => watch(rulesAtHand(name)));
      lint.apply(correlation.apply(log.events));
      return lint.all;
    },
    restore: () => undo.forEach((each) => each()),
  };
}

const METHODS = [
  'initialize',
  'ping',
  'tools/call',
  'roots/list',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/initialized',
  'notifications/message',
  'notifications/tools/list_changed',
  'server/discover',
  'tools/list',
  'subscriptions/listen',
  'notifications/subscriptions/acknowledged',
  'completion/complete',
  'elicitation/create',
  'logging/setLevel',
  'notifications/tasks',
  'notifications/tasks/status',
  'prompts/get',
  'resources/list',
  'resources/read',
  'sampling/createMessage',
  'tasks/get',
  'tasks/list',
  'tasks/result',
];

const META = 'io.modelcontextprotocol/';

const member = fc.oneof(fc.jsonValue(), fc.constantFrom(0, 1, '1', null, 1.5, 2 ** 60));

const meta = fc.oneof(
  member,
  fc.record(
    {
      [`${META}protocolVersion`]: fc.oneof(fc.constant('2026-07-28'), member),
      [`${META}clientCapabilities`]: member,
      [`${META}subscriptionId`]: member,
      [`${META}logLevel`]: member,
    },
    { requiredKeys: [] },
  ),
);

/** Keywords of schemas with what they hold, and with what they must not. */
const schema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    member,
    fc.record(
      {
        type: fc.oneof(fc.constantFrom('object', 'array', 'string', 'integer'), member),
        properties: fc.oneof(fc.dictionary(fc.string(), tie('schema')), member),
        required: fc.oneof(fc.array(fc.string()), member),
        items: tie('schema'),
        anyOf: fc.oneof(fc.array(tie('schema')), member),
        enum: member,
        pattern: fc.oneof(fc.string(), member),
        $ref: fc.oneof(fc.constantFrom('#', '#/properties/a', 'https://a/', '#/%'), member),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

const block = fc.oneof(
  member,
  fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('text', 'image', 'resource', 'resource_link', 'tool_use', 'tool_result'),
        member,
      ),
      text: member,
      data: member,
      mimeType: member,
      resource: member,
      id: member,
      toolUseId: member,
    },
    { requiredKeys: [] },
  ),
);

const message = fc.record({ role: member, content: fc.oneof(block, fc.array(block)) });

const tool = fc.record(
  {
    name: member,
    inputSchema: schema,
    outputSchema: schema,
    icons: fc.array(fc.record({ src: member })),
  },
  { requiredKeys: [] },
);

const task = fc.record(
  {
    taskId: fc.oneof(fc.constant('t'), member),
    status: fc.oneof(fc.constantFrom('working', 'completed', 'failed', 'input_required'), member),
    createdAt: member,
    ttl: member,
    pollInterval: member,
    pollIntervalMs: member,
  },
  { requiredKeys: [] },
);

const feature = fc.oneof(
  task,
  fc.record(
    {
      content: fc.oneof(fc.array(block), member),
      structuredContent: member,
      isError: member,
      contents: fc.oneof(fc.array(fc.record({ uri: member, text: member, blob: member })), member),
      completion: fc.oneof(fc.record({ values: fc.oneof(fc.array(member), member) }), member),
      messages: fc.oneof(fc.array(message), member),
      roots: fc.oneof(fc.array(fc.record({ uri: member })), member),
      tasks: fc.oneof(fc.array(task), member),
      task: fc.oneof(task, member),
      tools: fc.array(tool),
      nextCursor: member,
    },
    { requiredKeys: [] },
  ),
);

const asking = fc.record(
  {
    mode: fc.oneof(fc.constantFrom('form', 'url'), member),
    url: member,
    requestedSchema: schema,
    messages: fc.oneof(fc.array(message), member),
    maxTokens: member,
    tools: member,
    taskId: fc.oneof(fc.constant('t'), member),
    task: member,
    level: member,
    uri: member,
  },
  { requiredKeys: [] },
);

const modernResult = fc.record(
  {
    resultType: fc.oneof(fc.constantFrom('complete', 'input_required'), member),
    ttlMs: member,
    cacheScope: member,
    inputRequests: fc.oneof(
      member,
      fc.dictionary(
        fc.string(),
        fc.record({ method: fc.constantFrom(...METHODS), params: asking }),
      ),
    ),
    requestState: member,
    supportedVersions: fc.oneof(fc.constant(['2026-07-28']), member),
    tools: fc.oneof(fc.array(fc.record({ name: member, inputSchema: member })), member),
    nextCursor: member,
    _meta: meta,
  },
  { requiredKeys: [] },
);

/** Values that are almost messages, and values that are not at all. */
const almostMessage = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), member),
      id: member,
      method: fc.oneof(fc.constantFrom(...METHODS), member),
      params: fc.oneof(
        member,
        asking,
        task,
        fc.record(
          {
            progressToken: member,
            progress: member,
            requestId: member,
            name: member,
            cursor: member,
            notifications: member,
            requestState: member,
            inputResponses: member,
            _meta: meta,
          },
          { requiredKeys: [] },
        ),
      ),
      result: fc.oneof(member, modernResult, feature),
      error: fc.oneof(member, fc.record({ code: member, message: member }, { requiredKeys: [] })),
    },
    { requiredKeys: [] },
  ),
);

const text = fc.oneof(
  fc.string(),
  fc.array(almostMessage, { maxLength: 3 }).map((values) => JSON.stringify(values)),
  almostMessage.map((value) => JSON.stringify(value)),
);

const step = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), text }),
  fc.record({
    kind: fc.constant('body' as const),
    text,
    status: fc.constantFrom(200, 202, 204, 400, 404, 410, 500),
    type: fc.constantFrom('application/json', 'text/event-stream', 'text/html', ''),
  }),
  fc.record({
    kind: fc.constant('events' as const),
    isGet: fc.boolean(),
    parts: fc.array(
      fc.record({
        text,
        id: fc.option(fc.constantFrom('a', 'b', '')),
        name: fc.constantFrom('', 'endpoint', 'x'),
      }),
      { maxLength: 4 },
    ),
    end: fc.constantFrom('complete', 'cut', 'none', 'deadline', 'user'),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function write(log: LintLog, one: Step): void {
  if (one.kind === 'send') {
    log.request(one.text);
  } else if (one.kind === 'body') {
    const httpId = log.call(log.nextId(), 'tools/call', { name: 'x', _meta: { progressToken: 1 } });
    log.answer(httpId, one.text, one.status, one.type);
  } else {
    const httpId = one.isGet ? log.stream() : log.streamed().httpId;
    for (const { text: data, id, name } of one.parts) {
      log.sse(
        httpId,
        `${name === '' ? '' : `event: ${name}\n`}${id === null ? '' : `id: ${id}\n`}data: ${data}\r\n\r\n`,
      );
    }
    if (one.end === 'complete') log.end(httpId);
    if (one.end === 'cut') log.end(httpId, { outcome: 'cut', errorName: 'RESET' });
    if (one.end === 'deadline' || one.end === 'user') {
      log.end(httpId, { outcome: 'aborted', cause: one.end });
    }
  }
}

test('no input makes a detector throw, and what is found stands on events of the log', () => {
  const watch = watchDetectors();
  try {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.constantFrom('none', 'legacy', 'modern'),
        (steps, era) => {
          const log = new LintLog();
          if (era === 'legacy') log.connect();
          if (era === 'modern') modern(log);
          for (const one of steps) write(log, one);
          log.closed();
          for (const { evidence, message } of watch.issuesIn(log)) {
            const words = message.replaceAll(/"(\\.|[^"\\])*"/g, '');
            expect(words).not.toMatch(/undefined|\[object|NaN/);
            expect(evidence.length).toBeGreaterThan(0);
            for (const { sequence } of evidence) expect(log.events[sequence - 1]).toBeDefined();
          }
        },
      ),
      { numRuns: 300 },
    );
  } finally {
    watch.restore();
  }
  expect(watch.thrown).toEqual([]);
}, 60_000);

const challenges = fc.oneof(
  fc.string(),
  fc.constantFrom('', 'Bearer', 'Bearer error="insufficient_scope"', 'Bearer scope="a", scope="b"'),
);

const parameter = fc.option(fc.oneof(fc.string(), fc.constantFrom('plain', 'S256', 'a://b')), {
  nil: undefined,
});

const authorizing = fc.record({
  challenge: challenges,
  resource: fc.record(
    { resource: member, authorization_servers: fc.oneof(fc.array(member), member) },
    { requiredKeys: [] },
  ),
  authority: fc.record(
    {
      issuer: member,
      authorization_endpoint: member,
      token_endpoint: fc.oneof(fc.string(), member),
      code_challenge_methods_supported: fc.oneof(fc.array(member), member),
      authorization_response_iss_parameter_supported: member,
    },
    { requiredKeys: [] },
  ),
  page: fc.record({ code_challenge_method: parameter, state: parameter, redirect_uri: parameter }),
  redirect: fc.record({ iss: parameter, state: parameter }),
  token: fc.record({ grant_type: parameter, resource: parameter, client_id: parameter }),
  registration: fc.dictionary(fc.string(), fc.jsonValue()),
  document: fc.jsonValue(),
});

test('no authorization makes a detector throw, whatever servers say', () => {
  const watch = watchDetectors();
  try {
    fc.assert(
      fc.property(authorizing, (one) => {
        const log = new LintLog();
        log.opened(SERVER);
        const steps = new Steps(log);
        steps.refused(one.challenge);
        steps.document(`${SERVER}-metadata`, one.document);
        steps.resource(one.resource);
        steps.authority(one.authority);
        steps.registration(one.registration);
        steps.page(one.page);
        steps.redirect(one.redirect);
        steps.token(one.token);
        steps.connected();
        for (const { evidence, message: words } of watch.issuesIn(log)) {
          expect(words.replaceAll(/"(\\.|[^"\\])*"/g, '')).not.toMatch(/\[object|NaN/);
          for (const { sequence } of evidence) expect(log.events[sequence - 1]).toBeDefined();
        }
      }),
      { numRuns: 300 },
    );
  } finally {
    watch.restore();
  }
  expect(watch.thrown).toEqual([]);
}, 60_000);

test('a detector that throws costs its own finding only', () => {
  const log = new LintLog().connect();
  log.add({
    kind: 'http-response',
    httpId: log.call('8', 'tools/list'),
    status: 202,
    statusText: '',
    // What a careless import may hold.
    headers: null as never,
  });
  log.asked((id) => result(id, null));
  expect(issuesIn(log).map(({ ruleId }) => ruleId)).toEqual(['HTT-02', 'RPC-05']);
});

test('the cost of an event does not grow with the length of its stream', () => {
  const log = new LintLog().connect();
  const { httpId } = log.streamed();
  const count = 20_000;
  for (let index = 0; index < count; index += 1) {
    const params = { level: 'info', data: `message ${index}` };
    log.message(httpId, notification('notifications/message', params), `e${index}`);
  }
  const correlation = createCorrelation();
  const lint = startLint(correlation);
  const costs = cut(log.events, [200]).map((batch) => {
    const touched = correlation.apply(batch);
    const before = process.cpuUsage();
    lint.apply(touched);
    const { user } = process.cpuUsage(before);
    return user;
  });
  const half = costs.length >> 1;
  const sum = (list: number[]): number => list.reduce((total, cost) => total + cost, 0);
  // The first half holds the compiler's work; a scan of the stream would make the second a hundred times as dear.
  expect(sum(costs.slice(half))).toBeLessThan(5 * sum(costs.slice(0, half)) + 1000);
  expect(lint.all).toEqual([]);
});
