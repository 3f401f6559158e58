import type { Check, Played, Run } from './suite.ts';

/** Scenarios that are known to fail, and why. */
export interface ExpectedFailure {
  scenarios: readonly string[];
  /** Absent means: on every wire. */
  wires?: readonly string[];
  reason: string;
}

export interface Verdict {
  kind: 'passed' | 'failed' | 'skipped' | 'expected';
  /** Why, where it did not simply pass. */
  reason?: string;
}

/** What has to pass, and what may not. */
export interface Lists {
  required: readonly string[];
  expectedFailures: readonly ExpectedFailure[];
}

/** How many checks of a status a run has. */
export function countChecks(checks: readonly Check[], status: Check['status']): number {
  return checks.filter((check) => check.status === status).length;
}

/** Judges a run by itself, and by what was expected of it. */
export function judge(run: Run, played: Played, lists: Lists): Verdict {
  const verdict = judgeAlone(played);
  const expected = lists.expectedFailures.find(
    ({ scenarios, wires }) =>
      scenarios.includes(run.scenario) && (wires === undefined || wires.includes(run.wire)),
  );
  if (expected !== undefined) {
    return verdict.kind === 'failed'
      ? { kind: 'expected', reason: expected.reason }
      : { kind: 'failed', reason: `${verdict.kind}, but listed as an expected failure` };
  }
  if (verdict.kind === 'skipped' && lists.required.includes(run.scenario)) {
    return { kind: 'failed', reason: `has to pass, but: ${verdict.reason}` };
  }
  return verdict;
}

function judgeAlone({ exitCode, checks }: Played): Verdict {
  if (exitCode !== 0) {
    const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    const reason = bad.length === 0 ? 'the client or the suite failed' : names(bad);
    return { kind: 'failed', reason };
  }
  const skipped = checks.filter(({ status }) => status === 'SKIPPED');
  if (skipped.length > 0) return { kind: 'skipped', reason: `skipped ${names(skipped)}` };
  // A run that looks at nothing proves nothing.
  if (countChecks(checks, 'SUCCESS') === 0) return { kind: 'skipped', reason: 'checked nothing' };
  return { kind: 'passed' };
}

/** Listed names that the suite does not have: the lists are out of date. */
export function unknownNames(runs: readonly Run[], lists: Lists): string[] {
  const listed = [
    ...lists.required,
    ...lists.expectedFailures.flatMap(({ scenarios }) => scenarios),
  ];
  return listed.filter((name) => !runs.some(({ scenario }) => scenario === name));
}

function names(checks: readonly Check[]): string {
  return [...new Set(checks.map(({ id }) => id))].join(', ');
}
