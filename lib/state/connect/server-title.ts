import type { ConnectionSummary } from '../../port/contract.ts';

/** Name and version of the server; its URL as long as it has not introduced itself. */
export function toServerTitle(connection: ConnectionSummary): string {
  const { serverName, serverVersion, url } = connection;
  if (serverName === undefined || serverName === '') return url;
  return serverVersion === undefined ? serverName : `${serverName} ${serverVersion}`;
}
