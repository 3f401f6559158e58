import { existsSync, readFileSync } from 'node:fs';

export interface Counts {
  passed: number;
  failed: number;
}

/** A test that failed: what its runner takes to run it again, and what it is called. */
export interface Failure {
  place: string;
  name: string;
}

export interface TestReport {
  counts: Counts;
  failures: Failure[];
}

interface VitestReport {
  numPassedTests: number;
  numTotalTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { title: string; ok: boolean; file: string; line: number }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

/** What a test runner reports; undefined when it left no report. A skipped or flaky test counts as failed. */
export function readReport(report: {
  format: 'vitest' | 'playwright' | 'counts';
  file: string;
}): TestReport | undefined {
  if (!existsSync(report.file)) return undefined;
  const content: unknown = JSON.parse(readFileSync(report.file, 'utf8'));
  if (report.format === 'counts') return { counts: content as Counts, failures: [] };
  if (report.format === 'vitest') return fromVitest(content as VitestReport);
  return fromPlaywright(content as PlaywrightReport);
}

/** Its tests build on each other within a file, so the place is the whole file. */
function fromVitest({ numPassedTests, numTotalTests, testResults }: VitestReport): TestReport {
  const failures = testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status !== 'passed');
    if (failed.length > 0) return failed.map(({ fullName }) => ({ place: name, name: fullName }));
    return status === 'passed' ? [] : [{ place: name, name }];
  });
  return { counts: { passed: numPassedTests, failed: numTotalTests - numPassedTests }, failures };
}

function fromPlaywright({ stats, suites }: PlaywrightReport): TestReport {
  const { expected, unexpected, flaky, skipped } = stats;
  const specs = suites.flatMap(specsOf).filter(({ ok }) => !ok);
  return {
    counts: { passed: expected, failed: unexpected + flaky + skipped },
    failures: specs.map(({ file, line, title }) => ({ place: `${file}:${line}`, name: title })),
  };
}

function specsOf(suite: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}
