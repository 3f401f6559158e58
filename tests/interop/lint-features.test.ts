import { expect, test } from 'vitest';
import type { Issue } from '../../lib/lint/issue.ts';
import { findEvidence } from '../../lib/state/evidence.ts';
import { FEATURE_FAULTS, type FeatureFault } from '../server/faults/features.ts';
import { MESSAGE_FAULTS } from '../server/faults/messages.ts';
import { issuesOf } from '../support/rules.ts';
import { FEATURE_LIVE_CASES, MESSAGE_LIVE_CASES } from '../unit/lint/feature-live-cases.ts';
import { play } from './cases/play.ts';

/** Connects, sends what leads to the fault, and judges all of it. */
async function visit({ revision, script, calls }: FeatureFault): Promise<readonly Issue[]> {
  const isModern = revision === '2026-07-28';
  await using scene = await play(script, {
    answers: { elicitation: 'decline', sampling: 'refuse', roots: [] },
    ...(isModern ? { transport: 'modern' } : { offerRevision: revision }),
  });
  for (const [method, params] of calls) {
    await scene.call(method, params === undefined ? undefined : JSON.stringify(params));
  }
  await scene.disconnect(true);
  await scene.worker.recorder.flushed();
  const { correlation } = scene.worker;
  const issues = issuesOf(correlation);
  // Whatever is found can be gone to.
  const lost = issues.filter(
    ({ evidence }) => !evidence.every((one) => findEvidence(one, correlation) !== undefined),
  );
  expect(lost).toEqual([]);
  return issues;
}

const FAULTS = { ...FEATURE_FAULTS, ...MESSAGE_FAULTS };

test.concurrent.each([...FEATURE_LIVE_CASES, ...MESSAGE_LIVE_CASES])(
  'at %s it is found: %j',
  async (name, found, says) => {
    const issues = await visit(FAULTS[name]!);
    expect(issues.filter(({ side }) => side === 'client')).toEqual([]);
    const kinds = new Set(issues.map(({ ruleId, severity }) => `${ruleId} ${severity}`));
    expect([...kinds].sort()).toEqual(found);
    expect(issues.map(({ message }) => message).join('\n')).toMatch(says);
  },
);
