import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import type { BackgroundFunctions } from '../../../../lib/port/contract.ts';
import { createConnectForm } from '../../../../lib/state/connect/connect-form.ts';
import type { PermissionDoor } from '../../../../lib/state/connect/connector.ts';
import { createReportLog } from '../../../../lib/state/report/transport-report-log.ts';
import { createReportModel } from '../../../../lib/state/report/transport-report-model.ts';
import type { ReportDesk } from '../../../../lib/state/report/transport-report-model.ts';
import { createUsageCounts } from '../../../../lib/state/connect/usage-counts.ts';
import { LogBuilder } from '../../../support/builders.ts';
import { DEFAULTS, fakeBackground, settled } from '../fakes.ts';

interface Situation {
  behaviour?: Partial<BackgroundFunctions>;
  door?: Partial<PermissionDoor>;
  others?: ReportDesk['readOtherCaptures'];
  url?: string;
}

function open({ behaviour, door, others, url = 'http://h.example/mcp' }: Situation = {}) {
  const { background, calls } = fakeBackground(behaviour);
  const log = createReportLog();
  const desk: ReportDesk = {
    log,
    background,
    door: {
      canRequest: true,
      hostPattern: () => 'http://h.example/*',
      requestHost: (pattern) => {
        calls.push(['requestHost', pattern]);
        return Promise.resolve(true);
      },
      openGrantPage: () => undefined,
      ...door,
    },
    form: createConnectForm(DEFAULTS, signal(url)),
    readOtherCaptures: others ?? async function* () {},
  };
  return { model: createReportModel(desk), log, calls };
}

/** The first event of a report. */
function openedFor(reportId: string, log = new LogBuilder()): WireEvent {
  log.opened();
  const event = log.events.at(-1)!;
  return { ...event, report: { reportId, candidate: 'modern' } } as WireEvent;
}

/** A connection that was made with this. */
function chosen(log: LogBuilder, revision = '2025-11-25'): void {
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'legacy',
    revision,
    evidence: [],
  });
}

test('a run asks for the host within the click, and for the report once that is answered', async () => {
  const { model, calls, log } = open();
  model.run();
  expect(calls).toEqual([['requestHost', 'http://h.example/*']]);
  expect(model.isStarting.value).toBe(true);
  await settled();
  expect(calls[1]).toEqual(['report', { ...DEFAULTS, url: 'http://h.example/mcp' }]);
  // Known by name, but not in the log yet.
  expect(model.report.value).toBeUndefined();
  expect(model.isStarting.value).toBe(true);
  log.apply([openedFor('r1')]);
  expect(model.report.value).toMatchObject({ reportId: 'r1', isRunning: true });
  expect(model.isStarting.value).toBe(false);
  model.stop();
  expect(calls.at(-1)).toEqual(['stopReport', 'r1']);
});

test('where the page cannot ask, the background says that the host is not allowed', async () => {
  const problem = { code: 'permission-denied', message: 'Nothing was sent.' } as const;
  const { model, calls } = open({
    door: { canRequest: false },
    // A port carries problems as plain data.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    behaviour: { report: () => Promise.reject(problem) },
  });
  model.run();
  await settled();
  expect(calls.map(([name]) => name)).toEqual(['report']);
  expect(model.problem.value).toEqual(problem);
  expect(model.isStarting.value).toBe(false);
});

test('without a URL nothing is asked', async () => {
  const { model, calls } = open({ url: ' ' });
  model.run();
  await settled();
  expect(calls).toEqual([]);
  expect(model.faults.value).toEqual(['Type the URL of an MCP endpoint.']);
});

test('the newest report is shown, and any other one can be', () => {
  const { model, log } = open();
  expect(model.report.value).toBeUndefined();
  log.apply([openedFor('r1'), openedFor('r2')]);
  expect(model.reportIds.value).toEqual(['r2', 'r1']);
  expect(model.report.value?.reportId).toBe('r2');
  model.choose('r1');
  expect(model.report.value?.reportId).toBe('r1');
  expect(model.titleOf('r1')).toMatch(/^\d\d:\d\d:\d\d http:/);
});

test('counts go over all captures, and follow what is new in this one', async () => {
  const old = new LogBuilder('c1');
  old.opened();
  chosen(old);
  chosen(old, '2025-06-18');
  const others: ReadonlySet<string>[] = [];
  const { model, log } = open({
    others: async function* (known) {
      others.push(known);
      yield old.events.map((event) => ({ ...event, captureId: 'older' }));
    },
  });
  await settled();
  const total = () => model.usage.value.map(({ revision, connections }) => [revision, connections]);
  expect(total()).toEqual([
    ['2025-11-25', 1],
    ['2025-06-18', 1],
  ]);
  const now = new LogBuilder('c1');
  now.opened();
  chosen(now);
  log.apply(now.events);
  expect(total()).toEqual([
    ['2025-11-25', 2],
    ['2025-06-18', 1],
  ]);
  expect(others).toEqual([new Set(['capture'])]);
  expect(model.usageProblem.value).toBeUndefined();
});

test('captures that cannot be read are told of, and the rest is counted', async () => {
  const { model, log } = open({
    // oxlint-disable-next-line require-yield
    others: async function* () {
      throw new Error('database is gone');
    },
  });
  const now = new LogBuilder();
  now.opened();
  chosen(now);
  log.apply(now.events);
  await settled();
  expect(model.usageProblem.value?.detail).toContain('database is gone');
  expect(model.usage.value).toMatchObject([{ connections: 1 }]);
});

test('a connection counts once for what it used, and one of a report does not count', () => {
  const log = new LogBuilder('c1');
  log.opened();
  chosen(log);
  // Its session ended, and it began anew.
  chosen(log);
  log.connectionId = 'c2';
  const ofReport = openedFor('r1', log);
  chosen(log);
  const counts = createUsageCounts();
  counts.apply(
    log.events.map((event) => (event.sequence === ofReport.sequence ? ofReport : event)),
  );
  expect(counts.counts()).toEqual([
    { transport: 'streamable-http', era: 'legacy', revision: '2025-11-25', connections: 1 },
  ]);
  // The same events again, as a page has them from the store and live.
  counts.apply(log.events.slice(0, 3));
  expect(counts.counts()[0]?.connections).toBe(1);
});
