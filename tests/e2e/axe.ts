import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect } from '@playwright/test';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** What hangs on the theme; all else is the same in each of them. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Violations in one page or frame, or in what a selector finds in it; one line each. */
export async function findViolations(root: Frame | Page, within?: string): Promise<string[]> {
  const { violations, passes } = await runAxe(root, { within });
  expect(passes.length).toBeGreaterThan(10);
  return linesOf(violations);
}

/** Violations in a page that follows the theme of the system, in either of them and in forced colours. */
export async function findViolationsInThemes(page: Page, within?: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const found = (await findViolations(page, within)).map((violation) => `dark: ${violation}`);
  for (const [name, media] of [
    ['light', { colorScheme: 'light' }],
    ['forced colours', { forcedColors: 'active' }],
  ] as const) {
    await page.emulateMedia(media);
    const { violations, passes } = await runAxe(page, { within, rules: COLOURS });
    expect(passes.length, name).toBeGreaterThan(0);
    found.push(...linesOf(violations).map((violation) => `${name}: ${violation}`));
  }
  await page.emulateMedia({ forcedColors: 'none' });
  return found;
}

interface Look {
  within?: string | undefined;
  rules?: readonly string[];
}

/** A script tag would break the CSP; the debugger does not. */
async function runAxe(root: Frame | Page, look: Look): Promise<AxeResults> {
  if (!(await root.evaluate(() => 'axe' in globalThis))) await root.evaluate(axeSource);
  return root.evaluate(({ within, rules }) => {
    const options = rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } };
    return Reflect.get(globalThis, 'axe').run(within ?? document, options);
  }, look);
}

function linesOf(violations: AxeResults['violations']): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}
