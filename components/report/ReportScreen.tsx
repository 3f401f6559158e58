import { useEffect, useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { createReportModel } from '../../lib/state/report/transport-report-model.ts';
import type { ReportModel } from '../../lib/state/report/transport-report-model.ts';
import { buildReportText } from '../../lib/state/report/transport-report-text.ts';
import type { TransportReport } from '../../lib/state/report/transport-report.ts';
import { formatClock } from '../../lib/text.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Screen } from '../ui/Screen.tsx';
import { AdviceList } from './AdviceList.tsx';
import { CandidateTable } from './CandidateTable.tsx';
import { ClientTable } from './ClientTable.tsx';
import { UsageTable } from './UsageTable.tsx';
import './ReportScreen.css';

/** What a server speaks, who would connect to it, and what to change; over the traffic that it is made of. */
export function ReportScreen({ model }: { model: AppModel }) {
  const reports = useMemo(() => createReportModel(model.report), [model]);
  useEffect(() => () => reports.leave(), [reports]);
  const report = reports.report.value;
  const faults = reports.faults.value;
  const problem = reports.problem.value;
  const usageProblem = reports.usageProblem.value;

  return (
    <Screen
      id="report"
      title="Transport report"
      isOpen={model.report.isOpen}
      bar={
        <>
          <RunButton reports={reports} />
          <ReportChoice reports={reports} />
          {report !== undefined && (
            <CopyButton
              text={() => buildReportText(report, reports.usage.value)}
              title="Copy the report as Markdown"
            />
          )}
        </>
      }
    >
      <div class="screen-body">
        <p class="error" role="alert" hidden={faults.length === 0}>
          {faults.join(' ')}
        </p>
        {problem !== undefined && <ProblemNotice problem={problem} isAlert />}
        {report === undefined ? (
          <Introduction isStarting={reports.isStarting.value} />
        ) : (
          <Findings report={report} model={model} />
        )}
        <UsageTable counts={reports.usage.value} />
        {usageProblem !== undefined && <ProblemNotice problem={usageProblem} />}
      </div>
    </Screen>
  );
}

function RunButton({ reports }: { reports: ReportModel }) {
  const isRunning = reports.isStarting.value || reports.report.value?.isRunning === true;
  if (isRunning) {
    return (
      <button
        type="button"
        class="bordered"
        disabled={reports.report.value?.isRunning !== true}
        onClick={() => reports.stop()}
      >
        Stop
      </button>
    );
  }
  return (
    <button
      type="button"
      class="primary"
      title="Try every transport and revision with the URL and the options above"
      onClick={() => reports.run()}
    >
      {reports.report.value === undefined ? 'Run' : 'Run again'}
    </button>
  );
}

function ReportChoice({ reports }: { reports: ReportModel }) {
  const ids = reports.reportIds.value;
  if (ids.length < 2) return null;
  return (
    <select
      aria-label="Report"
      value={reports.report.value?.reportId}
      onChange={(event) => reports.choose(event.currentTarget.value)}
    >
      {ids.map((id) => (
        <option key={id} value={id}>
          {reports.titleOf(id)}
        </option>
      ))}
    </select>
  );
}

function Introduction({ isStarting }: { isStarting: boolean }) {
  if (isStarting) return <p role="status">Starting.</p>;
  return (
    <p class="report-intro">
      Run tries every transport and revision with the server whose URL stands above, each over a
      connection of its own: the handshake, and a few requests that only read. One of them lacks a
      header or has a wrong one, to see whether the server checks it. All of it is in the traffic
      list. What is connected already stays as it is.
    </p>
  );
}

function Findings({ report, model }: { report: TransportReport; model: AppModel }) {
  const { rows, isRunning, url, serverName, startedAt } = report;
  const done = rows.filter(({ outcome }) => outcome !== 'waiting' && outcome !== 'running').length;
  return (
    <>
      <p class="report-subject">
        <strong>{url}</strong>
        {serverName !== undefined && <span>{serverName}</span>}
        <span class="dim">{formatClock(startedAt).slice(0, 8)}</span>
        <span role="status" class="dim">
          {isRunning ? `${done} of ${rows.length} tried` : `${done} tried`}
        </span>
      </p>
      <CandidateTable rows={rows} model={model} />
      {!isRunning && (
        <>
          <ClientTable report={report} />
          <AdviceList report={report} />
        </>
      )}
    </>
  );
}
