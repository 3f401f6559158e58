import type { HttpRecord } from '../../capture/correlate/items.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import { challengeLines } from '../../protocol/challenge.ts';

/** How a request said who it is. */
export interface SentCredential {
  scheme: string;
  /** Of the secret; absent where nothing was cut out. */
  fingerprint?: string;
}

/** The `Authorization` of a request as it went out; an empty scheme where it had none. */
export function credentialOf({ sent, request }: HttpRecord): SentCredential {
  const isIt = ({ name }: Header) => name.toLowerCase() === 'authorization';
  const header = (sent?.headers ?? []).find(isIt) ?? request.headers.find(isIt);
  const scheme = /^([A-Za-z][\w-]*) /.exec(header?.value ?? '')?.[1] ?? '';
  const fingerprint = header?.cuts?.[0]?.secret;
  return fingerprint === undefined ? { scheme } : { scheme, fingerprint };
}

/** The challenges of an answer as sent, behind a colon; empty where there are none. */
export function saidIn(record: HttpRecord | undefined): string {
  const headers = (record?.received ?? record?.response)?.headers ?? [];
  const lines = challengeLines(headers);
  return lines.length === 0 ? '' : `: ${lines.join(', ')}`;
}

/** Path of a URL, with its host where that is not the one of `serverUrl`. */
export function urlPlace(url: string, serverUrl: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const { host, pathname, search } = parsed;
  return `${host === URL.parse(serverUrl)?.host ? '' : host}${pathname}${search}`;
}
