import type { AuthRecord } from '../../capture/correlate/auth-record.ts';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { HttpRecord } from '../../capture/correlate/items.ts';
import { challengeLines, parseChallenges } from '../../protocol/challenge.ts';
import { credentialOf } from './auth-exchange.ts';
import { httpStatus } from '../detail/http-status.ts';

/** One of two refusals of the same request. */
export interface Refusal {
  status: number;
  /** Fingerprint of the token that was refused; absent where none was sent. */
  token?: string;
  /** Parameters of its challenges, by scheme and name. */
  said: Map<string, string>;
}

/** The refusal that an authorization began with, and the one of the repeat. */
export interface Refusals {
  first: Refusal;
  second: Refusal;
  /** Names of all parameters, in order. */
  names: string[];
  /** The repeat carried the very token that had been refused. */
  isStale: boolean;
}

/** Finds the repeat that was refused like its request before it; undefined where none was. */
export function toRefusals(
  { exchanges }: AuthRecord,
  { https }: Pick<Correlation, 'https'>,
): Refusals | undefined {
  for (const { httpId, links } of exchanges) {
    const [again, before] = [https.get(httpId), https.get(links.retryOf ?? '')];
    const second = again && refusalOf(again);
    const first = before && refusalOf(before);
    if (first === undefined || second === undefined) continue;
    const names = [...new Set([...first.said.keys(), ...second.said.keys()])];
    const isStale = first.token !== undefined && first.token === second.token;
    return { first, second, names, isStale };
  }
  return undefined;
}

function refusalOf(record: HttpRecord): Refusal | undefined {
  const status = httpStatus(record);
  if (status !== 401 && status !== 403) return undefined;
  const { fingerprint } = credentialOf(record);
  const said = new Map<string, string>();
  const headers = (record.received ?? record.response)?.headers ?? [];
  for (const { scheme, params } of parseChallenges(challengeLines(headers)).challenges) {
    if (params.length === 0) said.set(scheme, '');
    for (const { name, value } of params) said.set(`${scheme} ${name}`, value);
  }
  return { status, said, ...(fingerprint === undefined ? {} : { token: fingerprint }) };
}
