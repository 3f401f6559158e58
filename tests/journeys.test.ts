import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { journeys } from './journeys.ts';
import { findTests, type WalkingTest } from './support/walked.ts';

const chromium = readSuite('tests/e2e/*.spec.ts');
const firefox = readSuite('tests/firefox/*.test.ts');

function readSuite(pattern: string): WalkingTest[] {
  return globSync(pattern).flatMap((path) =>
    findTests(path, readFileSync(path, 'utf8')).map((test) => ({
      ...test,
      title: `${path}: ${test.title}`,
    })),
  );
}

const names = journeys.map(({ name }) => name);
const impossible = journeys
  .filter(({ notInFirefox }) => notInFirefox !== undefined)
  .map(({ name }) => name);
const walkedBy = (suite: WalkingTest[]) => new Set(suite.flatMap((test) => test.journeys));

test('each test of the Chromium suite says which journeys it walks', () => {
  expect(chromium.length).toBeGreaterThan(100);
  const silent = chromium.filter(({ journeys }) => journeys.length === 0);
  expect(silent.map(({ title }) => title)).toEqual([]);
});

test('each journey is walked in Chromium', () => {
  const walked = walkedBy(chromium);
  expect(names.filter((name) => !walked.has(name))).toEqual([]);
});

test('each journey is walked in Firefox, or has a reason why it cannot be', () => {
  const walked = walkedBy(firefox);
  const missing = names.filter((name) => !walked.has(name) && !impossible.includes(name));
  expect(missing).toEqual([]);
  // A reason that no longer holds would hide that it can be done.
  expect(impossible.filter((name) => walked.has(name))).toEqual([]);
});

test('no test names a journey that is not in the list, and none is in it twice', () => {
  const known = new Set<string>(names);
  const named = [...walkedBy([...chromium, ...firefox])];
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(known.size).toBe(names.length);
});

test('the scanner finds tests of every form, and what they walk', () => {
  const source = `
    import { walks } from '../journeys.ts';
    test.beforeAll(async () => {});
    test.describe('all of it', () => {
      test('plain', async ({ panel }) => {
        walks('Filter the table', 'Sort the table');
      });
    });
    permissionTest('of another fixture', async () => {});
    for (const over of OVER) test(\`over \${over}\`, () => { walks('Replay a call'); });
    test.each([1, 2])('of a table', { timeout: 1 }, () => { walks('Stop a report'); });
    expect(/a/.test('a')).toBe(true);`;
  expect(findTests('a.spec.ts', source)).toEqual([
    { title: "'plain'", journeys: ['Filter the table', 'Sort the table'] },
    { title: "'of another fixture'", journeys: [] },
    { title: '`over ${over}`', journeys: ['Replay a call'] },
    { title: "'of a table'", journeys: ['Stop a report'] },
  ]);
});
