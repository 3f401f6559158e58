// npm run conformance: the client scenarios of the official suite against our library under Node.
// `--only REGEX` selects scenarios, `--required` those that npm test holds; `--report FILE` leaves the counts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { countChecks, judge, unknownNames, type Verdict } from './judge.ts';
import { LISTS } from './lists.ts';
import { createSuite, type Check, type Played, type Run } from './suite.ts';

interface Outcome {
  run: Run;
  played: Played;
  verdict: Verdict;
}

/** Two cores; each scenario is a suite and a client. */
const AT_ONCE = 2;
/** Measures our delays to a tenth of a second, so nothing runs beside it. */
const ALONE = 'sse-retry';
const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED'] as const satisfies Check['status'][];
const WORDS = {
  passed: 'passed',
  failed: 'FAILED',
  skipped: 'skipped',
  expected: 'fails as expected',
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    required: { type: 'boolean' },
    report: { type: 'string' },
  },
});
const started = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'wirescope-conformance-'));
const suite = createSuite(folder);
process.once('exit', () => {
  suite.endAll();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const all = await suite.list();
const only = new RegExp(values.only ?? '');
const runs = all.filter(
  ({ scenario }) =>
    only.test(scenario) && (values.required !== true || LISTS.required.includes(scenario)),
);
const unknown = unknownNames(all, LISTS);

const width = Math.max(...runs.map(({ scenario }) => scenario.length), 'scenario'.length);
printRow('scenario', 'wire', ['passed', 'failed', 'warned', 'skipped'], 'verdict');
const outcomes: Outcome[] = [];
for (const coming of playAll()) {
  const outcome = await coming;
  outcomes.push(outcome);
  const { run, played, verdict } = outcome;
  const counts = STATUSES.map((status) => String(countChecks(played.checks, status)));
  printRow(run.scenario, run.wire, counts, WORDS[verdict.kind]);
}
report();

/** One promise for each run, in the order of the list. */
function playAll(): Promise<Outcome>[] {
  const pending = runs.map((run) => ({ run, ...Promise.withResolvers<Outcome>() }));
  const queue = pending.filter(({ run }) => run.scenario !== ALONE);
  const alone = pending.filter(({ run }) => run.scenario === ALONE);
  const takeFrom = async (waiting: typeof pending) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { run, resolve, reject } = next;
      await playOne(run).then(resolve, reject);
    }
  };
  void takeFrom(alone).then(() => Array.from({ length: AT_ONCE }, () => void takeFrom(queue)));
  return pending.map(({ promise }) => promise);
}

async function playOne(run: Run): Promise<Outcome> {
  const played = await suite.play(run);
  return { run, played, verdict: judge(run, played, LISTS) };
}

function printRow(scenario: string, wire: string, counts: string[], verdict: string): void {
  const cells = counts.map((count) => count.padStart(7));
  console.log([scenario.padEnd(width), wire.padEnd(10), ...cells, ` ${verdict}`].join(' '));
}

function report(): void {
  const of = (kind: Verdict['kind']) => outcomes.filter(({ verdict }) => verdict.kind === kind);
  const failed = of('failed');
  for (const { run, played, verdict } of failed) {
    console.log(`\n${run.scenario} on ${run.wire} FAILED: ${verdict.reason}`);
    for (const { id, status, errorMessage, description } of played.checks) {
      const isBad = status === 'FAILURE' || status === 'WARNING';
      if (isBad) console.log(`  ${id}: ${errorMessage ?? description}`);
    }
    if (played.output !== '') console.log(played.output.trimEnd());
  }
  console.log();
  for (const name of unknown) console.log(`FAILED: the suite has no scenario ${name}`);
  if (runs.length === 0) console.log('FAILED: no scenario is selected');
  printGroups('Skipped', of('skipped'));
  printGroups('Expected failures', of('expected'));
  const counts = {
    passed: of('passed').length,
    failed: failed.length + unknown.length + (runs.length === 0 ? 1 : 0),
  };
  if (values.report !== undefined) {
    mkdirSync(dirname(values.report), { recursive: true });
    writeFileSync(values.report, JSON.stringify(counts));
  }
  console.log(`Took ${Math.round((Date.now() - started) / 1000)} s.`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

/** How many, and for each reason which. */
function printGroups(title: string, group: Outcome[]): void {
  console.log(`${title}: ${group.length}`);
  const byReason = Map.groupBy(group, ({ verdict }) => verdict.reason);
  for (const [reason, members] of byReason) {
    const names = new Set(members.map(({ run }) => run.scenario));
    console.log(`  ${reason}: ${[...names].join(', ')}`);
  }
}
