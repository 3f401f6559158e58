import { expect, test } from 'vitest';
import type { Issue } from '../../lib/lint/issue.ts';
import { findEvidence } from '../../lib/state/view/evidence.ts';
import { startAuthPeer } from '../server/auth-peer.ts';
import {
  AUTHORIZATION_FAULTS,
  faultyServer,
  type AuthorizationFault,
} from '../server/faults/authorization.ts';
import { json, result } from '../server/scripted-behaviour.ts';
import { startOidc } from '../server/oidc.ts';
import { startTestWorker } from '../support/connected.ts';
import { logInByForms } from '../support/form-user.ts';
import { issuesOf } from '../support/rules.ts';
import { AUTHORIZATION_LIVE_CASES } from '../unit/lint/authorization-live-cases.ts';
import { play, type PlayOptions } from './cases/play.ts';

const META = 'io.modelcontextprotocol/serverInfo';
const DISCOVERED = result(
  JSON.stringify({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [META]: { name: 's', version: '1' } },
  }),
);

/** Connects, logs in, asks for the tools; then judges all of it. Ends however the server lets it. */
async function visit(
  fault: AuthorizationFault,
  revision: string,
  options: PlayOptions = {},
): Promise<readonly Issue[]> {
  const isModern = revision === '2026-07-28';
  await using peer = await startAuthPeer(fault.authority);
  const script = faultyServer(peer, fault, isModern ? { 'server/discover': json(DISCOVERED) } : {});
  await using scene = await play(script, {
    user: {},
    state: ['connected', 'failed'],
    ...(isModern ? { transport: 'auto' } : { revision, offerRevision: revision }),
    ...options,
  });
  if (!isModern && scene.worker.summary(scene.id).state === 'connected') await scene.call();
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

/** Servers on this machine do without HTTPS, which is always said. */
function isLocal({ ruleId, severity }: Issue): boolean {
  return ruleId === 'AUT-07' && severity === 'info';
}

test.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  '%s: nothing is found at a good authorization server, but that it is on this machine',
  async (revision) => {
    const issues = await visit(AUTHORIZATION_FAULTS['good']!, revision);
    expect(issues.filter(({ side }) => side === 'server')).toMatchObject([
      {
        ruleId: 'AUT-07',
        severity: 'info',
        message: expect.stringContaining('not reached by HTTPS'),
      },
    ]);
    const own = issues.filter(({ side }) => side === 'client').map(({ ruleId }) => ruleId);
    expect(own).toEqual(revision === '2026-07-28' ? ['SEC-03'] : []);
  },
);

test.concurrent.each(AUTHORIZATION_LIVE_CASES)(
  '%s, by %s: %j is found',
  async (name, revision, found, says) => {
    const issues = await visit(AUTHORIZATION_FAULTS[name]!, revision);
    const ofServer = issues.filter((issue) => issue.side === 'server' && !isLocal(issue));
    const kinds = new Set(ofServer.map(({ ruleId, severity }) => `${ruleId} ${severity}`));
    expect([...kinds].sort()).toEqual(found);
    expect(ofServer.map(({ message }) => message).join('\n')).toMatch(says);
    for (const { evidence } of ofServer) expect(evidence.length).toBeGreaterThan(0);
  },
);

test('nothing is found at a real authorization server, but that it is on this machine', async () => {
  await using oidc = await startOidc();
  await using worker = await startTestWorker({}, undefined, undefined, {
    consent: (_chain, url) => logInByForms(url),
  });
  const id = await worker.connect(oidc.mcp.url(), { openStream: false });
  await worker.state(id, 'connected');
  // A token that is over, and one that is not enough.
  oidc.expire();
  for (const params of ['{"name":"read"}', '{"name":"write"}']) {
    const { rpcId } = await worker.manager.functions.send(id, 'tools/call', params);
    await worker.until(() =>
      worker.correlation.items.some(
        (item) => item.kind === 'request' && item.rpcId === rpcId && item.outcome === 'result',
      ),
    );
  }
  await worker.manager.functions.disconnect(id, true);
  await worker.recorder.flushed();
  expect(oidc.requests.filter((each) => each === 'POST /token').length).toBeGreaterThan(2);
  const found = issuesOf(worker.correlation).filter(({ ruleId }) => /^(AUT|SEC)/.test(ruleId));
  expect(found.filter((issue) => !isLocal(issue))).toEqual([]);
});
