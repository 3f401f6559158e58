import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { journeys, type Journey } from './journeys.ts';
import { findTests, type WalkingTest } from './support/walked.ts';

/**
 * What no Firefox test walks yet, a line each. For the time being only: a journey has a test, or a reason in its own
 * line of the list.
 */
const TO_DO: readonly Journey[] = [
  'Arm and disarm a fault',
  'Break a stream on purpose',
  'Change how a connection answers',
  'Change settings',
  'Export a capture and import it again',
  'Export a page to read',
  'Export a part of a capture',
  'Fill in a form of any schema',
  'Follow a diagram as traffic comes',
  'Follow a report to its exchanges',
  'Get an answer over the limit',
  'Get odd answers that are valid',
  'Go offline and come back',
  'Import what is no HAR file',
  'Keep the newest row in sight',
  'Learn why a call failed',
  'Lose a WebSocket with the background',
  'Lose a session and go on with a new one',
  'Lower the limit of storage',
  'Name, pin, copy and delete captures',
  'Read a damaged capture',
  'Read frames of every kind',
  'Receive a frame of many megabytes',
  'Record on a full disk',
  'Replay a call',
  'Replay everything and compare clients',
  'Replay selected rows',
  'Report on the transports of a server',
  'Review what an export hides',
  'Save and copy a diagram',
  'Search while traffic comes',
  'See how the ways of a connection stand',
  'See what a server replays wrongly',
  'See what has changed at a server',
  'See what is wrong with a list or a result',
  'Send a binary frame',
  'Send the cookies of the browser',
  'Set the options of a connection',
  'Start with an example',
  'Stop a report',
  'Stop connecting',
  'Take a host back while connected',
  'Take over servers of another client',
  'Use menus and screens with assistive technology',
  'Use popup and grant page with assistive technology',
  'Use the panel with assistive technology',
  'Wait for a server that is silent',
  'Work in a narrow panel',
];

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
  if (TO_DO.length > 0) console.warn(`Not walked in Firefox yet: ${TO_DO.join('; ')}.`);
  expect(missing.toSorted()).toEqual(TO_DO.toSorted());
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
