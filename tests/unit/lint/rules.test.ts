import { expect, test } from 'vitest';
import { clauseIn } from '../../../lib/lint/clause.ts';
import type { Issue, Rule } from '../../../lib/lint/issue.ts';
import { AUT } from '../../../lib/lint/rules/authorization.ts';
import { ASK, LOG, RES, TOO } from '../../../lib/lint/rules/features.ts';
import { TSK } from '../../../lib/lint/rules/tasks.ts';
import { HDR } from '../../../lib/lint/rules/headers.ts';
import { HTT } from '../../../lib/lint/rules/http.ts';
import { LIF } from '../../../lib/lint/rules/lifecycle.ts';
import { CAC } from '../../../lib/lint/rules/caching.ts';
import { MOD } from '../../../lib/lint/rules/modern.ts';
import { PRG } from '../../../lib/lint/rules/progress.ts';
import { MRT } from '../../../lib/lint/rules/rounds.ts';
import { RPC } from '../../../lib/lint/rules/rpc.ts';
import { SEC } from '../../../lib/lint/rules/security.ts';
import { SES } from '../../../lib/lint/rules/session.ts';
import { SSE } from '../../../lib/lint/rules/sse.ts';
import { SUB } from '../../../lib/lint/rules/subscriptions.ts';
import { AUTHORIZATION_CASES } from './authorization-cases.ts';
import { AUTHORIZATION_LIVE_CASES } from './authorization-live-cases.ts';
import { BUILT_CASES, LOG_MESSAGE, sseSession } from './built-cases.ts';
import { FEATURE_CASES } from './feature-cases.ts';
import { FEATURE_LIVE_CASES, MESSAGE_LIVE_CASES } from './feature-live-cases.ts';
import { issuesIn, LintLog, result } from './lint-log.ts';
import { LIVE_CASES, MODERN_LIVE_CASES } from './live-cases.ts';
import { MODERN_CASES } from './modern-cases.ts';
import { HEADINGS as CORE_HEADINGS } from './spec-headings.ts';
import { RULE_IDS } from './rule-list.ts';
import { AUTHORIZATION_HEADINGS } from './spec-headings-authorization.ts';
import { FEATURE_HEADINGS } from './spec-headings-features.ts';

function kinds(issues: readonly Issue[]): string[] {
  return [
    ...new Set(issues.map(({ ruleId, severity, side }) => `${ruleId} ${severity} ${side}`)),
  ].sort();
}

test('an HTTP+SSE server that does everything right raises nothing', () => {
  const log = new LintLog();
  const stream = sseSession(log);
  const httpId = log.call('1', 'ping');
  log.respond(httpId, 202);
  log.end(httpId);
  log.message(stream, result(1));
  log.message(stream, LOG_MESSAGE);
  log.closed();
  expect(issuesIn(log)).toEqual([]);
});

test('a WebSocket server that does everything right raises nothing', () => {
  const log = new LintLog();
  const send = log.socket();
  send('outgoing', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  send('incoming', LOG_MESSAGE);
  send('incoming', result(1, { tools: [] }));
  send('incoming', { jsonrpc: '2.0', id: 'a', method: 'ping' });
  send('outgoing', result('a'));
  log.closed();
  expect(issuesIn(log)).toEqual([]);
});

const ALL_BUILT = [...BUILT_CASES, ...MODERN_CASES, ...AUTHORIZATION_CASES, ...FEATURE_CASES];

test.each(ALL_BUILT)('%s: %j', (_name, found, says, write) => {
  const log = new LintLog();
  write(log);
  const issues = issuesIn(log);
  expect(kinds(issues)).toEqual(found);
  expect(issues.map(({ message }) => message).join('\n')).toMatch(says);
});

/** Headings by revision and page. */
const HEADINGS = Object.fromEntries(
  Object.entries(CORE_HEADINGS).map(([revision, pages]) => [
    revision,
    { ...FEATURE_HEADINGS[revision], ...AUTHORIZATION_HEADINGS[revision], ...pages },
  ]),
);

const RULES: readonly Rule[] = [
  RPC,
  LIF,
  HDR,
  SES,
  HTT,
  SSE,
  PRG,
  MOD,
  MRT,
  SUB,
  LOG,
  CAC,
  TOO,
  RES,
  ASK,
  TSK,
  AUT,
  SEC,
].flatMap((family) => Object.values<Rule>(family));

/** What broken peers are caught at: in logs that were built, and by a client that meets them. */
const BUILT = ALL_BUILT.flatMap(([, found]) => found);
const LIVE = [
  ...[...LIVE_CASES, ...MODERN_LIVE_CASES].flatMap(([, found]) => found),
  ...[...FEATURE_LIVE_CASES, ...MESSAGE_LIVE_CASES].flatMap(([, found]) => found),
  ...AUTHORIZATION_LIVE_CASES.flatMap(([, , found]) => found),
];

function idsOf(kinds: readonly string[]): Set<string | undefined> {
  return new Set(kinds.map((kind) => kind.split(' ', 1)[0]));
}

test('every rule of the protocol that is no active probe exists', () => {
  expect(RULE_IDS).toHaveLength(87);
  const own = RULES.filter(({ id }) => Number(id.slice(4)) < 20).map(({ id }) => id);
  expect([...new Set(own)].toSorted()).toEqual(RULE_IDS.toSorted());
});

test('every rule has a broken peer that it catches', () => {
  const caught = idsOf([...BUILT, ...LIVE]);
  expect(RULES.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
});

test('what servers offer, ask for and protect is caught by a client that meets it', () => {
  const caught = idsOf(LIVE);
  const families = /^(LOG|TOO|RES|PAG|CMP|ELI|SAM|TSK|AUT|SEC)/;
  const rules = RULES.filter(({ id, side }) => families.test(id) && side !== 'client');
  expect(rules.length).toBeGreaterThan(30);
  expect(rules.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
});

test('every clause is a heading of the page that it names, in every revision', () => {
  const places = RULES.flatMap(({ clause, revisions }) =>
    revisions
      .filter((revision) => revision in HEADINGS && clause.kind === 'mcp')
      .map((revision) => clauseIn(clause, revision)),
  );
  expect(places.length).toBeGreaterThan(100);
  const missing = places.filter(({ revision, page, section }) => {
    const headings = HEADINGS[revision]?.[page];
    return headings === undefined || (section !== '' && !headings.includes(section));
  });
  expect(missing).toEqual([]);
});

test('a clause leads to its section', () => {
  expect(clauseIn(SES.badId.clause, '2025-06-18').url).toBe(
    'https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#session-management',
  );
  expect(clauseIn(RPC.metaKey.clause, '2025-11-25').url).toMatch(/2025-11-25\/basic#meta$/);
  expect(clauseIn(RPC.notRpc.clause, '2024-11-05').url).toMatch(/2024-11-05\/basic\/messages$/);
  expect(clauseIn(HTT.buffered.clause, '2025-11-25')).toEqual({
    revision: '2025-11-25',
    page: 'devtool policy',
    section: '',
    url: '',
  });
});

test('a rule holds only in its revisions', () => {
  const log = new LintLog().connect({ revision: '2025-03-26' });
  log.answer(log.call('8', 'tools/list'), [LOG_MESSAGE, result(8)]);
  log.request(
    { jsonrpc: '2.0', id: 9, method: 'ping' },
    {
      headers: log.headers({}, { 'mcp-protocol-version': undefined }),
    },
  );
  expect(issuesIn(log)).toEqual([]);
});

test('rules of Streamable HTTP are silent on other transports', () => {
  const log = new LintLog();
  sseSession(log);
  log.request({ jsonrpc: '2.0', id: 9, method: 'ping' }, { headers: [] });
  expect(issuesIn(log)).toEqual([]);
});
