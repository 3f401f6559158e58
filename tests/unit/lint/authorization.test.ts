import { expect, test } from 'vitest';
import { SERVER, Steps } from './authorization-log.ts';
import { issuesIn, lintBatches, LintLog } from './lint-log.ts';

test.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  '%s: a login over HTTPS in which all is right raises nothing but what is deprecated',
  (revision) => {
    const log = new LintLog();
    log.opened(SERVER);
    new Steps(log).loggedIn(revision);
    const found = issuesIn(log).map(({ ruleId, severity }) => `${ruleId} ${severity}`);
    expect(found).toEqual(revision === '2026-07-28' ? ['SEC-03 info'] : []);
  },
);

test('nothing is judged before the revision is known, and then by that', () => {
  const log = new LintLog();
  log.opened(SERVER);
  const steps = new Steps(log);
  steps.refused('');
  steps.resource();
  steps.authority();
  steps.page();
  expect(issuesIn(log)).toEqual([]);
  const before = log.events.length;
  steps.connected('2025-06-18');
  expect(issuesIn(log)).toMatchObject([
    { ruleId: 'AUT-01', severity: 'error', clause: { revision: '2025-06-18' } },
  ]);
  log.events.length = before;
  steps.connected('2025-03-26');
  expect(issuesIn(log)).toEqual([]);
});

test('where connecting fails, the revision that was offered is that by which is judged', () => {
  const log = new LintLog();
  log.opened(SERVER);
  const steps = new Steps(log);
  steps.refused();
  steps.resource({ authorization_servers: [] });
  log.add({ kind: 'connection-failed', problem: { code: 'auth-discovery', message: '' } });
  expect(issuesIn(log)).toMatchObject([
    { ruleId: 'AUT-02', clause: { revision: '2025-11-25' }, itemKey: expect.any(String) },
  ]);
});

test('nobody has looked: a 401 without a pointer says nothing about the metadata', () => {
  const log = new LintLog();
  log.opened(SERVER);
  new Steps(log).refused('');
  log.add({ kind: 'connection-failed', problem: { code: 'http-unauthorized', message: '' } });
  expect(issuesIn(log)).toEqual([]);
});

test('what a file leaves out is not held against anybody', () => {
  const log = new LintLog();
  log.opened(SERVER);
  const steps = new Steps(log);
  steps.refused('Bearer [REDACTED]="https://mcp.example.com/metadata"');
  const head = log.events.findLast(({ kind }) => kind === 'http-response');
  if (head?.kind !== 'http-response') throw new Error('There is no head.');
  const [header] = head.headers;
  Object.assign(header ?? {}, { cuts: [{ offset: 7, length: 10, secret: '0000000000', from: 0 }] });
  steps.authority();
  for (const issuer of ['https://as.example.com', 'https://other.example.com']) {
    steps.authority({}, issuer);
    const httpId = steps.token({ client_id: undefined }, issuer);
    for (const event of log.events) {
      if (event.kind !== 'http-chunk' || event.httpId !== httpId) continue;
      event.data.cuts = [{ offset: 17, length: 4, secret: '0000000000', from: 0 }];
    }
    const request = log.events.find(
      (event) => event.kind === 'http-request' && event.httpId === httpId,
    );
    if (request?.kind !== 'http-request' || request.body === undefined) continue;
    request.body.cuts = [{ offset: 1, length: 4, secret: '0000000000', from: 0 }];
  }
  steps.connected('2026-07-28');
  expect(issuesIn(log)).toEqual([]);
});

test('what is wrong with a step is said on the row of the authorization as well', () => {
  const log = new LintLog();
  log.opened(SERVER);
  const steps = new Steps(log);
  steps.refused();
  steps.resource();
  const httpId = steps.authority({
    code_challenge_methods_supported: undefined,
    token_endpoint: 'http://localhost:1/token',
  });
  steps.connected();
  const { issues, items, issuesOf } = lintBatches([log.events]);
  expect(issues.map(({ ruleId }) => ruleId)).toEqual(['AUT-04', 'AUT-07']);
  const step = items.find((item) => item.kind === 'http' && item.httpId === httpId);
  expect(issuesOf(step?.key ?? '')).toHaveLength(2);
  // A note stays where it is.
  expect(issuesOf('auth chain').map(({ ruleId }) => ruleId)).toEqual(['AUT-04']);
});
