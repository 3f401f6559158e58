import { formatBytes, formatDuration } from '../../text.ts';
import { adviseMoves } from './transport-report-advice.ts';
import { judgeClients } from './transport-report-clients.ts';
import type { ReportRow, TransportReport } from './transport-report.ts';
import {
  toCandidateTitle,
  toOutcomeWords,
  toSessionWords,
  toStreamWords,
  toTransportName,
  toVerdictWords,
} from './transport-report-words.ts';
import type { UsageCount } from '../../capture/store/capture-description.ts';

/** The whole report as Markdown, to paste into an issue. */
export function buildReportText(report: TransportReport, usage: readonly UsageCount[]): string {
  const when = new Date(report.startedAt).toISOString().slice(0, 16).replace('T', ' ');
  const server = report.serverName === undefined ? '' : ` (${report.serverName})`;
  const parts = [
    `# Transport report: ${report.url}${server}`,
    `${when} UTC, by Wirescope.`,
    table(
      ['Tried', 'Outcome', 'Session', 'GET stream', 'Exchanges', 'Bytes', 'Time', 'First error'],
      report.rows.map(cells),
    ),
  ];
  if (!report.isRunning) {
    const rows = judgeClients(report).map(({ client, verdict, reason, notes }) => [
      client,
      toVerdictWords(verdict),
      [reason, ...notes].join(' '),
    ]);
    parts.push('## Official clients', table(['Client', 'Verdict', 'Why'], rows));
    for (const { title, lines } of adviseMoves(report)) {
      parts.push(`## ${title}`, lines.map((line) => `- ${line}`).join('\n'));
    }
  }
  if (usage.length > 0) {
    const rows = usage.map(({ transport, era, revision, connections }) => [
      toTransportName(transport),
      era,
      revision,
      String(connections),
    ]);
    parts.push(
      '## Used over all captures',
      table(['Transport', 'Era', 'Revision', 'Connections'], rows),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function cells(row: ReportRow): string[] {
  return [
    toCandidateTitle(row),
    toOutcomeWords(row),
    toSessionWords(row),
    toStreamWords(row),
    String(row.exchanges),
    formatBytes(row.sizeBytes),
    row.durationMs === undefined ? '' : formatDuration(row.durationMs),
    row.problem?.message ?? '',
  ];
}

function table(head: string[], rows: string[][]): string {
  const line = (entries: string[]) => `| ${entries.map(escapeCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What servers say may hold anything, also what would end a cell. */
function escapeCell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\|<]/g, String.raw`\$&`)
    .trim();
}
