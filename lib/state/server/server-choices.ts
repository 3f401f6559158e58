import type { ConnectionRecord } from '../../capture/correlate/items.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import { toLinkName } from '../connect/connection-words.ts';
import type { ReportLog } from '../report/transport-report-log.ts';

/** A connection that the screen can be about, live or only recorded. */
export interface ServerChoice {
  connectionId: string;
  title: string;
  url: string;
  /** Transport, era and revision. */
  link: string;
}

/** Connections that came to an agreement with a server; those of transport reports are no servers of the user's. */
export function listChoices(
  recorded: Iterable<ConnectionRecord>,
  live: readonly ConnectionSummary[],
  { reports }: ReportLog,
): ServerChoice[] {
  const known = new Set(live.map(({ connectionId }) => connectionId));
  const tried = new Set([...reports.values()].flat().map(({ connectionId }) => connectionId));
  return [...recorded].flatMap((record) => {
    const { connectionId, url, serverName = '', serverVersion = '', transport } = record;
    if (tried.has(connectionId) || (transport === undefined && !known.has(connectionId))) return [];
    const title = `${serverName === '' ? url : serverName} ${serverVersion}`.trim();
    return [{ connectionId, title, url, link: toLinkName(record) }];
  });
}
