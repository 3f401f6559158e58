import { readFileSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Failures from the field that are about authorization, by the numbers that they go by. */
const CASES = [
  145, 146, 148, 149, 150, 151, 152, 153, 154, 156, 157, 158, 160, 161, 162, 164, 165, 166, 168,
  169, 172, 173, 174, 176, 177,
];

const TESTS = fileURLToPath(new URL('../..', import.meta.url));
const TITLE = /(?:test|describe|\))\(\s*['`](C\d{3})\b|^\s*\[?'(C\d{3}):/gm;

test('every case about authorization is a test named after it', () => {
  const files = globSync('{unit/auth,interop/cases}/*.test.ts', { cwd: TESTS });
  expect(files.length).toBeGreaterThan(10);
  const named = files.flatMap((file) =>
    [...readFileSync(`${TESTS}/${file}`, 'utf8').matchAll(TITLE)].map(([, one, two]) => one ?? two),
  );
  expect(CASES.map((number) => `C${number}`).filter((id) => !named.includes(id))).toEqual([]);
});
