import type { DraftHeader } from './composer-draft.ts';

/** Rows without a name are left out. */
export function named(headers: readonly DraftHeader[]): DraftHeader[] {
  return headers.filter(({ name }) => name.trim() !== '');
}

/** Whether a text is a time in seconds, or nothing. */
export function isTimeout(seconds: string): boolean {
  return seconds.trim() === '' || Number(seconds) > 0;
}

/** The time in milliseconds, where there is one. */
export function timeoutOf(seconds: string): { idleTimeoutMs?: number } {
  return seconds.trim() === '' ? {} : { idleTimeoutMs: Math.round(Number(seconds) * 1000) };
}

/** Why a whole HTTP request cannot be sent, in a sentence. */
export function httpFault(verb: string, url: string): string | undefined {
  if (verb.trim() === '') return 'Name the HTTP method.';
  return URL.canParse(url.trim()) ? undefined : 'Type a URL in full.';
}

/** A saved request is for the server that it was saved for. */
export function originOfUrl(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}
