// npm run first-minute [-- --browser chromium|firefox] [--report FILE]
// Walks a newcomer's first minute, from a clean profile and the package to an exported capture, and counts clicks and
// seconds. Ends with 1 when it takes more than it may, or when anything goes wrong.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startEverything } from '../server/everything.ts';
import { startDisplay } from '../support/xvfb.ts';
import { walkChromium } from './chromium.ts';
import { walkFirefox } from './firefox.ts';
import { findPackage } from './packages.ts';
import { Walk } from './walk.ts';

const WALKS = {
  chromium: { walk: walkChromium, package: 'chrome' },
  firefox: { walk: walkFirefox, package: 'firefox' },
} as const;
type Browser = keyof typeof WALKS;

const USAGE = `Usage: npm run first-minute [-- --browser ${Object.keys(WALKS).join('|')}] [--report FILE]`;

const { browsers, report } = readArguments();
const counts = { passed: 0, failed: 0 };
for (const browser of browsers) {
  const problems = await walk(browser);
  for (const problem of problems) console.error(problem);
  counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
}
if (report !== undefined) {
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(report, JSON.stringify(counts));
}
process.exit(counts.failed === 0 ? 0 : 1);

/** Resolves with all that went wrong, or took too long. */
async function walk(browser: Browser): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wirescope-first-minute-'));
  const taken = new Walk();
  try {
    const archive = await findPackage(WALKS[browser].package);
    const made = new Date(statSync(archive).mtimeMs).toLocaleString('sv');
    console.log(`\n${relative(process.cwd(), archive)}, made ${made}`);
    const [display, server] = await Promise.all([startDisplay(), startEverything()]);
    try {
      const stage = { archive, display, folder, url: server.url };
      await WALKS[browser].walk(taken, stage);
      return taken.problems();
    } finally {
      console.log(taken.toTable());
      await Promise.all([display.close(), server.close()]);
    }
  } catch (error) {
    return [inFull(error)];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function inFull(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined
    ? (error.stack ?? error.message)
    : `${error.message}\n${inFull(error.cause)}`;
}

function readArguments(): { browsers: Browser[]; report: string | undefined } {
  try {
    const { values } = parseArgs({
      options: { browser: { type: 'string' }, report: { type: 'string' } },
    });
    const all = Object.keys(WALKS) as Browser[];
    const browsers = all.filter((name) => values.browser === undefined || values.browser === name);
    if (browsers.length === 0) throw new Error(`There is no browser “${values.browser}” here.`);
    return { browsers, report: values.report };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}
