import { describe, expect, it } from 'vitest';
import { judge, unknownNames, type Lists } from '../../conformance/judge.ts';
import type { Check, Played, Run } from '../../conformance/suite.ts';

const LISTS: Lists = {
  required: ['required'],
  expectedFailures: [
    { scenarios: ['known'], reason: 'not built yet' },
    { scenarios: ['known-on-one'], wires: ['2026-07-28'], reason: 'not on this wire' },
  ],
};

function run(scenario: string, wire = '2025-11-25'): Run {
  return { scenario, wire, isExtension: false };
}

function played(statuses: Check['status'][], exitCode = 0): Played {
  const checks = statuses.map((status) => ({ id: 'check', status, description: 'A check' }));
  return { exitCode, checks, output: '' };
}

describe('a run of a conformance scenario', () => {
  it('passes where its checks do', () => {
    expect(judge(run('any'), played(['INFO', 'SUCCESS']), LISTS)).toEqual({ kind: 'passed' });
  });

  it('fails with the suite, and names the checks that failed or warned', () => {
    const { kind, reason } = judge(run('any'), played(['SUCCESS', 'WARNING'], 1), LISTS);
    expect({ kind, reason }).toEqual({ kind: 'failed', reason: 'check' });
    expect(judge(run('any'), played(['SUCCESS'], 1), LISTS).kind).toBe('failed');
  });

  it('counts as skipped where a check was skipped, or where nothing was checked', () => {
    expect(judge(run('any'), played(['SUCCESS', 'SKIPPED']), LISTS).kind).toBe('skipped');
    expect(judge(run('any'), played(['INFO']), LISTS).kind).toBe('skipped');
    expect(judge(run('any'), played([]), LISTS).kind).toBe('skipped');
  });

  it('fails where a required scenario skips a check', () => {
    expect(judge(run('required'), played(['SUCCESS', 'SKIPPED']), LISTS).kind).toBe('failed');
    expect(judge(run('required'), played(['SUCCESS']), LISTS).kind).toBe('passed');
  });

  it('may fail where that is expected, and tells why', () => {
    expect(judge(run('known'), played(['FAILURE'], 1), LISTS)).toEqual({
      kind: 'expected',
      reason: 'not built yet',
    });
  });

  it('fails where the expected failure is stale', () => {
    expect(judge(run('known'), played(['SUCCESS']), LISTS).kind).toBe('failed');
    expect(judge(run('known'), played(['SKIPPED']), LISTS).kind).toBe('failed');
  });

  it('is expected to fail on the wires that are listed only', () => {
    const failing = played(['FAILURE'], 1);
    expect(judge(run('known-on-one', '2026-07-28'), failing, LISTS).kind).toBe('expected');
    expect(judge(run('known-on-one', '2025-11-25'), failing, LISTS).kind).toBe('failed');
  });
});

it('finds listed names that the suite does not have', () => {
  const runs = ['required', 'known'].map((scenario) => run(scenario));
  expect(unknownNames(runs, LISTS)).toEqual(['known-on-one']);
});
