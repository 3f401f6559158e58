import { headerClass } from '../../redact/names.ts';

/** Why a header does not go out as it was recorded. */
export type LeftOutWhy = 'browser' | 'not-held' | 'redacted' | 'other-origin';

export interface LeftOut {
  name: string;
  why: LeftOutWhy;
}

/** The browser writes these itself, or sends none (Fetch, "forbidden request-header"). */
const FORBIDDEN = new Set(
  `accept-charset accept-encoding access-control-request-headers access-control-request-method
  access-control-request-private-network connection content-length cookie cookie2 date dnt expect host keep-alive
  referer set-cookie te trailer transfer-encoding upgrade user-agent via`.split(/\s+/),
);

const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie', 'mcp-session-id']);

const WORDS: Record<LeftOutWhy, string> = {
  browser: 'The browser writes these itself or sends none',
  'not-held': 'Their secrets are no longer held',
  redacted: 'They hold a stand-in for a secret',
  'other-origin': 'They belong to another origin',
};

/** Whether a request of ours can carry this header. `Origin` is set by a rule of the browser. */
export function canSetHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !FORBIDDEN.has(lower) && !/^(?:proxy-|sec-|:)/.test(lower);
}

/** Whether a header is for the origin only that it was recorded for. */
export function isCredential(name: string): boolean {
  const lower = name.toLowerCase();
  return CREDENTIALS.has(lower) || headerClass(lower) !== undefined;
}

/** What is left out, one sentence for each reason. */
export function wordLeftOut(leftOut: readonly LeftOut[]): string[] {
  return Object.entries(WORDS).flatMap(([why, words]) => {
    const names = leftOut.filter((each) => each.why === why).map(({ name }) => name);
    return names.length === 0 ? [] : [`${words}: ${[...new Set(names)].join(', ')}.`];
  });
}
