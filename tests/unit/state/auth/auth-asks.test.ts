import { describe, expect, test } from 'vitest';
import type { AuthAsk } from '../../../../lib/port/contract.ts';
import { toAskWords } from '../../../../lib/state/auth/auth-ask-words.ts';
import { toStateWords } from '../../../../lib/state/connect/connection-words.ts';
import { createConnector } from '../../../../lib/state/connect/connector.ts';
import { fakeBackground, settled, summary } from '../fakes.ts';

const PERMISSION: AuthAsk = {
  kind: 'permission',
  url: 'https://as.example/.well-known/oauth-authorization-server',
  hostPattern: 'https://as.example/*',
};
const DECISION: AuthAsk = {
  kind: 'decision',
  question: { kind: 'assume-s256', issuer: 'https://as.example' },
};
const CONSENT: AuthAsk = { kind: 'consent', host: 'as.example', since: 0 };
const INTERRUPTED: AuthAsk = { kind: 'interrupted', since: 0 };

const waiting = (ask: AuthAsk) =>
  summary({ state: 'connecting', phase: 'initialize', authorization: { chain: 'a', ask } });

function ask(given: AuthAsk, isYes: boolean, { canRequest = true, isGranted = true } = {}) {
  const { background, calls } = fakeBackground();
  const asked: unknown[][] = [];
  const connector = createConnector(background, {
    canRequest,
    hostPattern: () => undefined,
    requestHost(pattern) {
      asked.push(['requestHost', pattern]);
      return Promise.resolve(isGranted);
    },
    openGrantPage: (...page) => void asked.push(page),
  });
  connector.answerAuth(waiting(given), isYes);
  return { calls, asked };
}

describe('what an authorization asks', () => {
  test.each<[string, AuthAsk, boolean, unknown[]]>([
    ['a decision, yes', DECISION, true, ['authAnswer', 'c1', true]],
    ['a decision, no', DECISION, false, ['authAnswer', 'c1', false]],
    ['a host that is denied', PERMISSION, false, ['authAnswer', 'c1', false]],
    ['a login that is stopped', CONSENT, false, ['authStop', 'c1']],
    ['an interrupted login that goes on', INTERRUPTED, true, ['authGoOn', 'c1']],
    ['an interrupted login that is given up', INTERRUPTED, false, ['authStop', 'c1']],
  ])('%s', (_what, given, isYes, call) => {
    const { calls, asked } = ask(given, isYes);
    expect([calls, asked]).toEqual([[call], []]);
  });

  test('a host is asked of the browser within the click, and its answer is told', async () => {
    for (const isGranted of [true, false]) {
      const { calls, asked } = ask(PERMISSION, true, { isGranted });
      expect(asked).toEqual([['requestHost', 'https://as.example/*']]);
      await settled();
      expect(calls).toEqual([['authAnswer', 'c1', isGranted]]);
    }
  });

  test('where the page cannot ask the browser, the permission page does', () => {
    const { calls, asked } = ask(PERMISSION, true, { canRequest: false });
    expect(calls).toEqual([]);
    const { hostPattern, url } = { ...PERMISSION } as { hostPattern: string; url: string };
    expect(asked).toEqual([['c1', hostPattern, url, true]]);
  });

  test.each<[AuthAsk, RegExp, string | undefined]>([
    [PERMISSION, /access to as\.example$/, 'Allow'],
    [DECISION, /https:\/\/as\.example does not say/, 'Assume S256'],
    [CONSENT, /window of as\.example$/, undefined],
    [INTERRUPTED, /interrupted$/, 'Continue login'],
    [
      { kind: 'decision', question: { kind: 'parent-resource', resource: 'https://a.example/' } },
      /valid for all of https:\/\/a\.example\/$/,
      'Ask for that token',
    ],
    [
      {
        kind: 'decision',
        question: { kind: 'issuer-slash', expected: 'https://a', found: 'https://a/' },
      },
      /calls itself https:\/\/a\/, not https:\/\/a$/,
      'Continue anyway',
    ],
    [
      { kind: 'decision', question: { kind: 'register-instead', issuer: 'https://a' } },
      /client ID metadata document$/,
      'Register instead',
    ],
  ])('says who asks, and what the buttons do', (given, title, yes) => {
    const words = toAskWords(given);
    expect(words.title).toMatch(title);
    expect(words.yes).toBe(yes);
    expect(words.detail).not.toBe('');
  });

  test('a connection that waits for its user says so', () => {
    expect(toStateWords(waiting(CONSENT))).toBe('connecting: waits for you');
    expect(toStateWords(summary({ state: 'connecting', phase: 'initialize' }))).toBe(
      'connecting: initialize',
    );
  });
});
