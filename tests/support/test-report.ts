import { existsSync, readFileSync } from 'node:fs';

export interface Counts {
  passed: number;
  failed: number;
}

interface VitestReport {
  numPassedTests: number;
  numTotalTests: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** What a test runner reports; undefined when it left no report. A skipped or flaky test counts as failed. */
export function readCounts(report: {
  format: 'vitest' | 'playwright' | 'counts';
  file: string;
}): Counts | undefined {
  if (!existsSync(report.file)) return undefined;
  const content: unknown = JSON.parse(readFileSync(report.file, 'utf8'));
  if (report.format === 'counts') return content as Counts;
  if (report.format === 'vitest') {
    const { numPassedTests, numTotalTests } = content as VitestReport;
    return { passed: numPassedTests, failed: numTotalTests - numPassedTests };
  }
  const { expected, unexpected, flaky, skipped } = (content as PlaywrightReport).stats;
  return { passed: expected, failed: unexpected + flaky + skipped };
}
