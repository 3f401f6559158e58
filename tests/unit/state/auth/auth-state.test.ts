import { expect, test } from 'vitest';
import type { WireFact } from '../../../../lib/capture/wire-event.ts';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { authStateWords, authSummary, userWaits } from '../../../../lib/state/auth/auth-state.ts';
import { toRow } from '../../../../lib/state/view/rows.ts';
import { wireEvent } from '../../../support/builders.ts';

const chain = 'a';
const started = (reason: 'authorization' | 'refresh' | 'step-up' | 'sign-out'): WireFact => ({
  kind: 'auth-started',
  chain,
  reason,
  url: { text: 'https://mcp.example/mcp' },
});
const consent = (state: 'opened' | 'received' | 'closed' | 'interrupted', step = 2): WireFact => ({
  kind: 'auth-consent',
  chain,
  step,
  state,
});
const host = 'as.example';
const asked: WireFact = { kind: 'permission-asked', host, chain };
const granted: WireFact = { kind: 'permission-granted', host, chain };
const question = (answer?: 'yes' | 'no'): WireFact => ({
  kind: 'auth-question',
  chain,
  step: 5,
  question: { kind: 'assume-s256', issuer: 'https://as.example' },
  ...(answer === undefined ? {} : { answer }),
});
const refreshed: WireFact = {
  kind: 'auth-step',
  chain,
  step: 3,
  what: 'refresh',
  verdict: 'used',
  reason: 'a token',
};
const ended = (outcome: 'authorized' | 'signed-out' = 'authorized'): WireFact => ({
  kind: 'auth-ended',
  chain,
  outcome,
});

/** Facts at moments in ms. */
function play(...facts: [at: number, fact: WireFact][]) {
  const correlation = createCorrelation();
  correlation.apply(
    facts.map(([at, fact], index) =>
      wireEvent(index + 1, fact, { monotonicTime: at, wallTime: at }),
    ),
  );
  const record = correlation.auths.get(chain)!;
  return { item: record.item!, record, correlation };
}

test.each<[string, WireFact[]]>([
  ['under way', [started('authorization')]],
  ['waits for you', [started('authorization'), consent('opened')]],
  ['waits for you', [started('authorization'), asked]],
  ['waits for you', [started('authorization'), question()]],
  ['under way', [started('authorization'), asked, granted]],
  ['under way', [started('authorization'), question(), question('yes')]],
  ['interrupted', [started('authorization'), consent('opened'), consent('interrupted', 0)]],
  ['logged in', [started('authorization'), consent('opened'), consent('received'), ended()]],
  ['refreshed', [started('authorization'), refreshed, ended()]],
  ['refreshed', [started('refresh'), refreshed, ended()]],
  ['stepped up', [started('step-up'), consent('opened'), consent('received'), ended()]],
  ['authorized', [started('authorization'), ended()]],
  ['signed out', [started('sign-out'), ended('signed-out')]],
])('it is told to be: %s', (words, facts) => {
  const { item, record } = play(...facts.map((fact, at) => [at, fact] as [number, WireFact]));
  expect(authStateWords(item, record)).toBe(words);
});

test('the time of the user is told apart, whatever they were asked', () => {
  const { item, record, correlation } = play(
    [0, started('authorization')],
    [100, asked],
    [600, granted],
    [700, consent('opened')],
    [3000, consent('received')],
    [3100, question()],
    [3400, question('no')],
    [4200, ended()],
  );
  expect(authSummary(item, record)).toBe('logged in · 4.20 s, of which you 3.10 s');
  expect(toRow(item, correlation)).toMatchObject({
    name: 'Authorization',
    note: 'logged in · 4.20 s, of which you 3.10 s',
    status: 'logged in',
    kind: 'auth',
    duration: '4.20 s',
    isPending: false,
  });
});

test('what nobody asked has no time of a user', () => {
  const { item, record } = play([0, started('refresh')], [22, refreshed], [22, ended()]);
  expect(authSummary(item, record)).toBe('refreshed · 22 ms');
});

test('a page that is opened again after an interruption is another wait', () => {
  const { record } = play(
    [0, started('authorization')],
    [10, consent('opened')],
    [20, consent('interrupted', 0)],
    [30, started('authorization')],
    [40, consent('opened')],
  );
  const waits = userWaits(record).map(({ asked: begun, answered }) => [
    begun.monotonicTime,
    answered?.monotonicTime,
  ]);
  expect(waits).toEqual([
    [10, 20],
    [40, undefined],
  ]);
});
