import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import { FILTER_KEYS } from '../../../../lib/state/filter/filter-keys.ts';
import { filterLanguage } from '../../../../lib/state/filter/filter-language.ts';
import { parseTerms } from '../../../../lib/state/filter/filter-parse.ts';
import { parseSize, parseTime } from '../../../../lib/state/filter/filter-values.ts';
import { LogBuilder } from '../../../support/builders.ts';

/** A log with one of everything that can be asked for. */
function createLog() {
  const log = new LogBuilder();
  log.opened('http://127.0.0.1:3001/mcp');
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'legacy',
    revision: '2025-11-25',
    serverName: 'Everything',
    evidence: [],
  });
  const session = { name: 'Mcp-Session-Id', value: '****', cuts: [cut('3f9a')] };
  const echo = log.call('1', 'tools/call', { name: 'echo' }, { headers: [session] });
  log.answer(echo, { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(2000) } });
  const broken = log.call('"1"', 'tools/call', { name: 'admin' });
  log.answer(broken, { jsonrpc: '2.0', id: '1', error: { code: -1, message: 'Not you' } }, 403);
  const long = log.call('12345678901234567890', 'resources/read', { uri: 'file:///a b' });
  log.head(long, 200, 'text/event-stream; charset=utf-8');
  const params = { level: 'info', data: 'half way' };
  log.message(long, { jsonrpc: '2.0', method: 'notifications/message', params });
  log.connectionId = 'c2';
  log.opened('https://api.example.com/mcp');
  const end = log.request(undefined, {
    purpose: 'terminate',
    method: 'DELETE',
    url: 'https://api.example.com/mcp',
  });
  log.add({
    kind: 'http-response',
    httpId: end,
    status: 405,
    statusText: '',
    headers: [{ name: 'Allow', value: 'GET' }],
  });
  log.end(end);
  return log;
}

function cut(secret: string) {
  return { offset: 0, length: 4, secret, from: 0 };
}

function nameOf(item: Item): string {
  if (item.kind === 'request') return item.target ?? item.method;
  return item.kind === 'notification' ? item.method : item.kind;
}

/** Names of what a filter lets through, lifecycle rows apart. */
function found(text: string): string[] {
  const correlation = createCorrelation();
  correlation.apply(createLog().events);
  const matcher = filterLanguage.compile(filterLanguage.parse(text), {
    source: correlation,
    hasIssue: (item) => nameOf(item) === 'admin',
  });
  return correlation.items
    .filter(
      (item) =>
        item.kind !== 'lifecycle' && matcher.matches({ item, text: undefined, textRevision: -1 }),
    )
    .map(nameOf);
}

const FILE = 'file:///a b';
const NOTE = 'notifications/message';
const CASES: [filter: string, names: string[]][] = [
  ['', ['echo', 'admin', FILE, NOTE, 'http']],
  ['echo', ['echo']],
  ['ECHO', ['echo']],
  ['-echo', ['admin', FILE, NOTE, 'http']],
  ['tools echo', ['echo']],
  ['"half way"', [NOTE]],
  ['way half', [NOTE]],
  ['-"half way" /notif|resources/', [FILE]],
  ['api.example', ['http']],
  ['https://api.example.com', ['http']],
  ['127.0.0.1:3001 -tools', [FILE, NOTE]],
  ['/mcp', ['echo', 'admin', FILE, NOTE, 'http']],
  ['/ECHO|Admin/', ['echo', 'admin']],
  ['/ECHO|admin/u', ['admin']],
  [String.raw`/a\sb/`, [FILE]],
  ['/half way/', [NOTE]],
  ['-/./s', []],
  ['method:tools/call', ['echo', 'admin']],
  ['METHOD:Tools/*', ['echo', 'admin']],
  ['-method:tools/*', [FILE, NOTE, 'http']],
  ['method:tools', []],
  ['method:DELETE', ['http']],
  ['method:post tool:*', ['echo', 'admin']],
  ['http-method:post', ['echo', 'admin', FILE]],
  ['tool:echo', ['echo']],
  ['is:running', [FILE]],
  ['is:error', ['admin']],
  ['-is:error is:running', [FILE]],
  ['is:injected', []],
  ['has:issue', ['admin']],
  ['has:response', ['echo', 'admin']],
  ['dir:in', [NOTE]],
  ['dir:outgoing kind:request', ['echo', 'admin', FILE]],
  ['kind:notification', [NOTE]],
  ['id:1', ['echo', 'admin']],
  ['id:"1"', ['admin']],
  ['id:12345678901234567890', [FILE]],
  ['status-code:403', ['admin']],
  ['status-code:4xx', ['admin', 'http']],
  ['status-code:4*', ['admin', 'http']],
  ['status:error', ['admin']],
  ['larger-than:1k', ['echo']],
  ['larger-than:0 -larger-than:1.5kB', ['admin', FILE, NOTE]],
  ['slower-than:0.5s', []],
  ['slower-than:1ms', ['echo', 'admin', 'http']],
  ['conn:everything kind:request', ['echo', 'admin', FILE]],
  ['conn:c2', ['http']],
  ['session:3f9a', ['echo']],
  ['era:legacy', ['echo', 'admin', FILE, NOTE]],
  ['era:2025-11-25 kind:notification', [NOTE]],
  ['url:/mcp dir:in', [NOTE]],
  ['domain:*.example.com', ['http']],
  ['scheme:https', ['http']],
  ['-scheme:https tool:echo', ['echo']],
  ['mime-type:text/event-stream', [FILE]],
  ['has-response-header:allow', ['http']],
  ['task:x', []],
];

describe('a filter lets through', () => {
  test.each(CASES)('%s: %j', (text, names) => {
    expect(filterLanguage.parse(text).problem).toBeUndefined();
    expect(found(text)).toEqual(names);
  });
});

describe('what is wrong hides nothing, and is explained', () => {
  test.each([
    [
      'tols:echo',
      'There is no key tols: . Did you mean tool: ? To look for the text, write "tols:echo".',
    ],
    ['Error:x', 'There is no key Error: . To look for the text, write "Error:x".'],
    [
      'is:slow',
      'is:slow means nothing. After is: write running, error, warning, injected, replay, retry.',
    ],
    [
      'larger-than:big',
      'larger-than:big means nothing. After larger-than: write for example larger-than:10k.',
    ],
    [
      'slower-than:5x',
      'slower-than:5x means nothing. After slower-than: write for example slower-than:500ms.',
    ],
    ['has:__proto__', 'has:__proto__ means nothing. After has: write issue, response, task.'],
  ])('%s', (text, problem) => {
    expect(filterLanguage.parse(text).problem).toBe(problem);
    expect(found(text)).toHaveLength(5);
    expect(found(`${text} tool:echo`)).toEqual(['echo']);
  });

  test('a broken regular expression says why', () => {
    const { problem } = filterLanguage.parse('/a(/ tool:echo');
    expect(problem).toContain('Invalid regular expression');
    expect(problem).toContain('put it in quotation marks');
    expect(found('/a(/ tool:echo')).toEqual(['echo']);
  });

  test.each(['method:', '-', '"', '-method:', '""', '/'])(
    'what is still being typed is no mistake: %s',
    (text) => {
      expect(filterLanguage.parse(text).problem).toBeUndefined();
    },
  );
});

test('terms cover the text in order, whatever it is', () => {
  const piece = fc.constantFrom('"', '/', ':', '-', ' ', '\\', 'a', 'is', '*', '[', ']', '\t', 'é');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const terms = parseTerms(text);
      let at = 0;
      for (const { start, end } of terms) {
        if (text.slice(at, start).trim() !== '' || end <= start) return false;
        at = end;
      }
      filterLanguage.parse(text);
      return text.slice(at).trim() === '';
    }),
  );
});

test('each key is described, and its example means something', () => {
  for (const { name, hint, example, compile } of FILTER_KEYS) {
    const isSound = hint !== '' && compile(example, false) !== undefined;
    expect([name, isSound]).toEqual([name, true]);
  }
});

test('sizes and times are read with their units', () => {
  expect(['1', '1k', '1.5kB', '.5M', '2GB', 'k', '1x', ''].map(parseSize)).toEqual([
    1,
    1000,
    1500,
    500_000,
    2_000_000_000,
    undefined,
    undefined,
    undefined,
  ]);
  expect(['250', '250ms', '1.5s', '2m', '2min', '1h', 's', '1y'].map(parseTime)).toEqual([
    250,
    250,
    1500,
    120_000,
    120_000,
    3_600_000,
    undefined,
    undefined,
  ]);
});

test('an expression that could take years takes none, and finds the same', () => {
  const row = 'a'.repeat(60);
  const log = new LogBuilder();
  log.opened('http://127.0.0.1:3001/mcp');
  log.call('1', 'tools/call', { name: row });
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const isFound = (text: string) => {
    const parsed = filterLanguage.parse(text);
    expect(parsed.problem).toBeUndefined();
    const matcher = filterLanguage.compile(parsed, { source: correlation, hasIssue: () => false });
    return correlation.items.some((item) =>
      matcher.matches({ item, text: undefined, textRevision: -1 }),
    );
  };
  expect(isFound('/^(a+)+$/')).toBe(true);
  expect(isFound('/^(a+)+!$/')).toBe(false);
  expect(isFound('/((a?){16}){16}!/')).toBe(false);
  expect(isFound(`tool:${'*a'.repeat(30)}*b`)).toBe(false);
  expect(isFound('tool:a*a*a')).toBe(true);
});

test('an expression that can neither be trusted nor taken step by step is refused with the reason', () => {
  expect(filterLanguage.parse(String.raw`/(a+)+\1/`).problem).toContain('may never come to an end');
  expect(filterLanguage.parse(String.raw`/^(?!.*echo)/`).problem).toBeUndefined();
});
