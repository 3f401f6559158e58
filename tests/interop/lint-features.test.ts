import { expect, test } from 'vitest';
import type { ConnectRequest } from '../../lib/port/contract.ts';
import type { Issue } from '../../lib/lint/issue.ts';
import { findEvidence } from '../../lib/state/view/evidence.ts';
import { FEATURE_FAULTS, type FeatureFault } from '../server/faults/features.ts';
import { MESSAGE_FAULTS } from '../server/faults/messages.ts';
import { issuesOf } from '../support/rules.ts';
import { FEATURE_LIVE_CASES, MESSAGE_LIVE_CASES } from '../unit/lint/feature-live-cases.ts';
import { play } from './cases/play.ts';

/** Connects, sends what leads to the fault, and judges all of it. */
async function visit(fault: FeatureFault): Promise<readonly Issue[]> {
  const { revision, script, calls } = fault;
  const isModern = revision === '2026-07-28';
  const options: Partial<ConnectRequest> = {
    answers: { elicitation: 'decline', sampling: 'refuse', roots: [] },
    ...(isModern ? { transport: 'modern' } : { offerRevision: revision }),
  };
  await using scene = await play(script, options);
  const { worker } = scene;
  for (const [method, params] of calls) {
    await scene.call(method, params === undefined ? undefined : JSON.stringify(params));
  }
  if (fault.isForTwo) {
    const other = await worker.connect(scene.server.url('/mcp'), { ...options, openStream: false });
    await worker.state(other, 'connected');
    for (const [method, params] of calls) {
      const text = params === undefined ? undefined : JSON.stringify(params);
      const { carrierId } = await worker.manager.functions.send(other, method, text);
      const isSettled = () =>
        worker.correlation.items.find(({ httpId }) => httpId === carrierId)?.ended !== undefined;
      await worker.until(isSettled);
    }
    await worker.manager.functions.disconnect(other, true);
  }
  await scene.disconnect(true);
  await worker.recorder.flushed();
  const { correlation } = worker;
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
