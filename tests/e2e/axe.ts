import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect } from '@playwright/test';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** Violations in one page or frame, one line each. A script tag would break the CSP; the debugger does not. */
export async function findViolations(root: Frame | Page): Promise<string[]> {
  await root.evaluate(axeSource);
  const { violations, passes }: AxeResults = await root.evaluate(() =>
    Reflect.get(globalThis, 'axe').run(),
  );
  expect(passes.length).toBeGreaterThan(10);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Violations in a page that follows the theme of the system, in either of them and in forced colours. */
export async function findViolationsInThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await findViolations(page);
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  await page.emulateMedia({ forcedColors: 'active' });
  const violations = await findViolations(page);
  found.push(...violations.map((violation) => `forced colours: ${violation}`));
  await page.emulateMedia({ forcedColors: 'none' });
  return found;
}
