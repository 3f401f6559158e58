import type { AuthRecord } from '../../capture/correlate/auth-record.ts';
import { formatDuration } from '../../text.ts';
import { lineMs, type Ladder, type LadderLine } from './auth-ladder.ts';
import { signOf } from './auth-signs.ts';
import { authSummary } from './auth-state.ts';

/** An authorization as text for a report: every step, what it says, and what to change. Secrets stay masked. */
export function authText(record: AuthRecord, { lines, problem }: Ladder): string {
  const { item } = record;
  const head = item === undefined ? 'Authorization' : `Authorization: ${authSummary(item, record)}`;
  const last = lines.at(-1);
  const steps = lines.flatMap((line, index) => {
    const isStop = problem !== undefined && line === last;
    return [lineText(line, index + 1, isStop), ...verdictTexts(line)];
  });
  const stop = problem === undefined ? [] : [`Stopped: ${problem.message}`, problem.advice ?? ''];
  return [head, ...steps, ...stop].filter((text) => text !== '').join('\n');
}

function lineText(line: LadderLine, number: number, isStop: boolean): string {
  const { what, place, status, token, isStale, isOfUser } = line;
  const ms = lineMs(line);
  const parts = [
    `${number}. ${signOf(line, isStop).sign} ${what}`,
    place,
    status,
    token === undefined ? '' : `token ‹${token}›${isStale ? ', stale' : ''}`,
    ms === undefined ? '' : `${isOfUser ? 'user ' : ''}${formatDuration(ms)}`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

function verdictTexts({ verdicts }: LadderLine): string[] {
  return verdicts.flatMap(({ verdict, reason, clause, fix }) => {
    const words = verdict === 'used' ? reason : `${verdict.replace('-', ' ')}: ${reason}`;
    const where = clause === undefined ? '' : ` (${clause.url})`;
    return [`   ${words}${where}`, ...(fix === undefined ? [] : [`   To change: ${fix}`])];
  });
}
