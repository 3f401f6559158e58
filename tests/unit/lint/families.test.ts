import { expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { Detectors } from '../../../lib/lint/facts.ts';
import { loadFamily, type FamilyName } from '../../../lib/lint/families.ts';
import { createLint } from '../../../lib/lint/lint.ts';
import { rulesAtHand } from '../../support/rules.ts';
import { AUTHORIZATION_CASES } from './authorization-cases.ts';
import { SERVER, Steps } from './authorization-log.ts';
import { BUILT_CASES } from './built-cases.ts';
import { FEATURE_CASES } from './feature-cases.ts';
import { issuesIn, LintLog } from './lint-log.ts';
import { MODERN_CASES } from './modern-cases.ts';

/** Families that come when the test says so. */
function slowFamilies() {
  const asked = new Map<FamilyName, PromiseWithResolvers<Detectors>>();
  return {
    asked,
    load(name: FamilyName): Promise<Detectors> {
      const family = Promise.withResolvers<Detectors>();
      asked.set(name, family);
      return family.promise;
    },
  };
}

test('a family is sent for by the traffic that it is about, and by no other', () => {
  const { asked, load } = slowFamilies();
  const correlation = createCorrelation();
  const lint = createLint(correlation, undefined, load);
  const log = new LintLog();
  log.opened(SERVER);
  lint.apply(correlation.apply(log.events));
  expect([...asked.keys()]).toEqual([]);
  const steps = new Steps(log);
  const before = log.events.length;
  log.request({ jsonrpc: '2.0', id: 0, method: 'ping' }, { headers: [] });
  lint.apply(correlation.apply(log.events.slice(before)));
  expect([...asked.keys()]).toEqual(['features']);
  const middle = log.events.length;
  steps.refused();
  lint.apply(correlation.apply(log.events.slice(middle)));
  expect([...asked.keys()]).toEqual(['features', 'authorization']);
});

test('what comes before a family is there waits for it, and is judged as if it had been', async () => {
  for (const [, , , write] of [
    ...BUILT_CASES,
    ...MODERN_CASES,
    ...AUTHORIZATION_CASES,
    ...FEATURE_CASES,
  ]) {
    const log = new LintLog();
    write(log);
    const { asked, load } = slowFamilies();
    const correlation = createCorrelation();
    const told = new Set<string>();
    const lint = createLint(correlation, (keys) => keys.forEach((key) => told.add(key)), load);
    for (const event of log.events) {
      for (const key of lint.apply(correlation.apply([event]))) told.add(key);
    }
    expect(lint.isUpToDate).toBe(asked.size === 0);
    for (const [name, { resolve }] of asked) resolve(rulesAtHand(name));
    await expect.poll(() => lint.isUpToDate, { interval: 1 }).toBe(true);
    const expected = issuesIn(log);
    expect(lint.all).toEqual(expected);
    for (const { itemKey } of expected) expect(told).toContain(itemKey);
  }
});

test('a family that cannot be had costs its own rules only', async () => {
  const log = new LintLog().connect();
  log.asked((id) => ({ jsonrpc: '1.0', id, result: {} }));
  const correlation = createCorrelation();
  const lint = createLint(correlation, undefined, () => Promise.reject(new Error('no chunk')));
  lint.apply(correlation.apply(log.events));
  await expect.poll(() => lint.isUpToDate).toBe(true);
  expect(lint.all).toMatchObject([{ ruleId: 'RPC-01' }]);
});

test('the chunks bring what the tests have at hand', async () => {
  for (const name of ['authorization', 'features'] as const) {
    const loaded = await loadFamily(name);
    const counts = (family: Detectors) =>
      Object.fromEntries(Object.entries(family).map(([kind, list]) => [kind, list.length]));
    expect(counts(loaded)).toEqual(counts(rulesAtHand(name)));
  }
});
