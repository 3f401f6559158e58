import { signal } from '@preact/signals-core';
import { expect, test, vi } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { CaptureDescription } from '../../../../lib/capture/store/capture-description.ts';
import { newCapture, type CaptureRecord } from '../../../../lib/capture/store/capture-record.ts';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import type { BackgroundFunctions } from '../../../../lib/port/contract.ts';
import { countFacts } from '../../../../lib/state/captures/capture-facts.ts';
import { createConnectForm } from '../../../../lib/state/connect/connect-form.ts';
import type { PermissionDoor } from '../../../../lib/state/connect/connector.ts';
import { createReportLog } from '../../../../lib/state/report/transport-report-log.ts';
import { createReportModel } from '../../../../lib/state/report/transport-report-model.ts';
import type { ReportDesk } from '../../../../lib/state/report/transport-report-model.ts';
import { createUsageCounts } from '../../../../lib/state/connect/usage-counts.ts';
import { LogBuilder } from '../../../support/builders.ts';
import { DEFAULTS, fakeBackground, settled } from '../fakes.ts';

type Shelf = Awaited<ReturnType<ReportDesk['loadShelf']>>;

interface Situation {
  behaviour?: Partial<BackgroundFunctions>;
  door?: Partial<PermissionDoor>;
  captures?: CaptureRecord[];
  shelf?: Partial<Shelf>;
  url?: string;
}

function open(situation: Situation = {}) {
  const { behaviour, door, captures = [], shelf, url = 'http://h.example/mcp' } = situation;
  const { background, calls } = fakeBackground({
    storage: async () => ({ captures, currentId: 'capture', limitBytes: 1 }),
    ...behaviour,
  });
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
    loadShelf: async () => ({
      descriptions: async () => [],
      keepFacts: async () => undefined,
      read: () => Promise.reject(new Error('database is gone')),
      ...shelf,
    }),
  };
  const model = createReportModel(desk);
  // It has asked for the list of captures.
  calls.length = 0;
  return { model, log, calls };
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

const stored = (captureId: string): CaptureRecord => ({
  ...newCapture(0, captureId),
  lastSequence: 9,
});

test('counts go over all captures, none is read twice, and they follow what is new in this one', async () => {
  const old = new LogBuilder('c1');
  old.opened();
  chosen(old);
  chosen(old, '2025-06-18');
  const correlation = createCorrelation();
  correlation.apply(old.events);
  const facts = { ...countFacts(correlation, 9), exchanges: 7 };
  const { usage: _usage, ...early } = facts;
  const descriptions: CaptureDescription[] = [
    { captureId: 'counted', facts },
    // Counted by an early version, and when it was shorter.
    { captureId: 'early', facts: early },
    { captureId: 'grown', facts: { ...facts, upTo: 3 } },
  ];
  const read: string[] = [];
  const situation: Situation = {
    captures: ['counted', 'early', 'grown', 'new', 'capture'].map(stored),
    shelf: {
      descriptions: async () => descriptions,
      async read({ captureId, name }) {
        read.push(captureId);
        return { captureId, name, correlation, peek: async () => new Map() };
      },
      keepFacts: async (captureId, kept) => void descriptions.push({ captureId, facts: kept }),
    },
  };
  const { model, log } = open(situation);
  const now = new LogBuilder('c1');
  now.opened();
  log.apply(now.events);
  const total = () => model.usage.value.map(({ revision, connections }) => [revision, connections]);
  const counted = [
    ['2025-11-25', 4],
    ['2025-06-18', 4],
  ];
  await vi.waitFor(() => expect(total()).toEqual(counted));
  expect(read).toEqual(['early', 'grown', 'new']);
  const again = open(situation);
  again.log.apply(now.events);
  await vi.waitFor(() => expect(again.model.usage.value).toEqual(model.usage.value));
  expect(read).toHaveLength(3);
  chosen(now);
  log.apply(now.events.slice(1));
  expect(total()[0]).toEqual(['2025-11-25', 5]);
  expect(model.usageProblem.value).toBeUndefined();
});

test('captures that cannot be read are told of, and the rest is counted', async () => {
  const { model, log } = open({ captures: [stored('broken')] });
  const now = new LogBuilder();
  now.opened();
  chosen(now);
  log.apply(now.events);
  await vi.waitFor(() => expect(model.usageProblem.value?.detail).toContain('database is gone'));
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
