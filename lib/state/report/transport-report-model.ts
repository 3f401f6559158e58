import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { UsageCount } from '../../capture/store/capture-description.ts';
import type { CaptureShelf } from '../../capture/store/capture-shelf.ts';
import type { Problem } from '../../errors.ts';
import type { BackgroundFunctions, ConnectRequest } from '../../port/contract.ts';
import { formatClock } from '../../text.ts';
import type { ConnectForm } from '../connect/connect-form.ts';
import type { PermissionDoor } from '../connect/connector.ts';
import { readUsage } from '../captures/capture-counting.ts';
import { readProblem } from '../captures/read-problem.ts';
import type { ReportLog } from './transport-report-log.ts';
import { deriveReport, type TransportReport } from './transport-report.ts';
import { createUsageCounts } from '../connect/usage-counts.ts';

/** What the screen of transport reports needs; it makes its own model of it when it is opened. */
export interface ReportDesk {
  log: ReportLog;
  background: BackgroundFunctions;
  door: PermissionDoor;
  form: ConnectForm;
  loadShelf(): Promise<Pick<CaptureShelf, 'descriptions' | 'read' | 'keepFacts'>>;
}

/** The screen of transport reports, while it is open. */
export interface ReportModel {
  /** Ids of all reports in this capture, the newest first. */
  reportIds: ReadonlySignal<string[]>;
  /** The chosen report, or the newest one. */
  report: ReadonlySignal<TransportReport | undefined>;
  /** A report was asked for, and nothing of it is in the log yet. */
  isStarting: ReadonlySignal<boolean>;
  /** Why the last wish could not be carried out. */
  problem: ReadonlySignal<Problem | undefined>;
  /** What is wrong with what the user typed. */
  faults: ReadonlySignal<string[]>;
  usage: ReadonlySignal<UsageCount[]>;
  /** Why other captures are not counted. */
  usageProblem: ReadonlySignal<Problem | undefined>;
  /** When a report began, and with which server. */
  titleOf(reportId: string): string;
  choose(reportId: string): void;
  /** Begins a report on the server in the form; synchronously within a click, which the prompt needs. */
  run(): void;
  stop(): void;
  /** Nobody looks any more: other captures are counted no further. */
  leave(): void;
}

/** Creates the model; every failure of its calls ends in `problem`. */
export function createReportModel(desk: ReportDesk): ReportModel {
  const { log, background, door, form } = desk;
  const problem = signal<Problem | undefined>(undefined);
  const faults = signal<string[]>([]);
  const isAsked = signal(false);
  const chosen = signal<string | undefined>(undefined);
  const counts = createUsageCounts();
  const capturesCounted = signal(0);
  const leaving = new AbortController();
  const usageProblem = signal<Problem | undefined>(undefined);

  const reportIds = computed(() =>
    log.revision.value > 0 ? [...log.reports.keys()].toReversed() : [],
  );
  const chosenId = computed(() => chosen.value ?? reportIds.value[0]);
  const report = computed(() => {
    const reportId = chosenId.value;
    const events = log.revision.value > 0 ? log.reports.get(reportId ?? '') : undefined;
    return events === undefined ? undefined : deriveReport(reportId ?? '', events);
  });
  const isStarting = computed(
    () => isAsked.value || (chosenId.value !== undefined && report.value === undefined),
  );
  const usage = computed(() => {
    // What was counted before is not counted again.
    if (log.revision.value + capturesCounted.value > 0) counts.apply(log.choices);
    return counts.counts();
  });

  void readOthers();

  /** Owns its failure: the counts say that they are not complete. */
  async function readOthers(): Promise<void> {
    try {
      const [{ captures }, shelf] = await Promise.all([background.storage(), desk.loadShelf()]);
      const others = captures.filter(({ captureId }) => !log.captures.has(captureId));
      for await (const used of readUsage(others, shelf, leaving.signal)) {
        counts.add(used);
        capturesCounted.value += 1;
      }
    } catch (error) {
      if (!leaving.signal.aborted) usageProblem.value = readProblem(error);
    }
  }

  /** Owns its failure, which ends in `problem`. */
  async function start(request: ConnectRequest, asked: Promise<unknown>): Promise<void> {
    isAsked.value = true;
    try {
      await asked;
      const { reportId } = await background.report(request);
      chosen.value = reportId;
    } catch (error) {
      problem.value = readProblem(error);
    } finally {
      isAsked.value = false;
    }
  }

  return {
    reportIds,
    report,
    isStarting,
    problem,
    faults,
    usage,
    usageProblem,
    titleOf(reportId) {
      const first = log.reports.get(reportId)?.[0];
      if (first?.kind !== 'connection-opened') return reportId;
      return `${formatClock(first.wallTime).slice(0, 8)} ${first.profile.url.text}`;
    },
    choose(reportId) {
      chosen.value = reportId;
    },
    run() {
      problem.value = undefined;
      faults.value = Object.values(form.faults.value);
      const request = form.toRequest();
      if (request === undefined) return;
      const pattern = door.canRequest ? door.hostPattern(request.url) : undefined;
      // The background asks the browser whether it is allowed; the user's answer need not travel.
      const asked = pattern === undefined ? Promise.resolve() : door.requestHost(pattern);
      void start(request, asked);
    },
    stop() {
      const running = report.value;
      if (running === undefined) return;
      background.stopReport(running.reportId).catch((error: unknown) => {
        problem.value = readProblem(error);
      });
    },
    leave: () => leaving.abort(),
  };
}
