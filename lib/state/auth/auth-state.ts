import type { AuthRecord, ChainFact } from '../../capture/correlate/auth-record.ts';
import type { AuthItem, Moment } from '../../capture/correlate/items.ts';
import { formatDuration } from '../../text.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';

/** A stretch of time in which an authorization waited for its user. */
export interface UserWait {
  /** The fact that it began with. */
  asked: ChainFact;
  /** The fact that ended it; absent while it goes on. */
  answered?: ChainFact;
}

/** Every time that the user was asked, in order. */
export function userWaits({ facts }: AuthRecord): UserWait[] {
  const waits: UserWait[] = [];
  const open = new Map<string, UserWait>();
  for (const fact of facts) {
    const name = questionOf(fact);
    if (name === undefined) continue;
    const asked = open.get(name);
    if (isAsked(fact)) {
      // The same page is opened again after an interruption.
      if (asked === undefined) open.set(name, { asked: fact });
      else continue;
      const wait = open.get(name);
      if (wait !== undefined) waits.push(wait);
    } else if (asked !== undefined) {
      asked.answered = fact;
      open.delete(name);
    }
  }
  return waits;
}

/** What is asked of the user by a fact, or answered. */
function questionOf(fact: ChainFact): string | undefined {
  switch (fact.kind) {
    case 'auth-consent':
      return 'consent';
    case 'auth-question':
      return `question ${fact.step}`;
    case 'permission-asked':
    case 'permission-granted':
    case 'permission-denied':
      return `permission ${fact.host}`;
    default:
      return undefined;
  }
}

function isAsked(fact: ChainFact): boolean {
  if (fact.kind === 'auth-question') return fact.answer === undefined;
  return fact.kind === 'auth-consent' ? fact.state === 'opened' : fact.kind === 'permission-asked';
}

/** How an authorization stands, in a few words. */
export function authStateWords(item: AuthItem, record: AuthRecord | undefined): string {
  const facts = record?.facts ?? [];
  switch (item.outcome) {
    case 'pending': {
      const isAsking = record && userWaits(record).some(({ answered }) => answered === undefined);
      return isAsking ? 'waits for you' : 'under way';
    }
    case 'authorized':
      return doneWords(facts);
    case 'signed-out':
      return 'signed out';
    default:
      return item.outcome;
  }
}

/** By what the token came in the end. */
function doneWords(facts: readonly ChainFact[]): string {
  const reason = facts.find((fact) => fact.kind === 'auth-started')?.reason;
  if (reason === 'step-up') return 'stepped up';
  if (facts.some((fact) => fact.kind === 'auth-consent' && fact.state === 'received')) {
    return 'logged in';
  }
  const isRefresh = (fact: ChainFact) =>
    fact.kind === 'auth-step' && fact.what === 'refresh' && fact.verdict === 'used';
  return facts.some(isRefresh) ? 'refreshed' : 'authorized';
}

/** Milliseconds that an authorization took, and of them those in which it waited for its user. */
export interface AuthTimes {
  totalMs: number;
  userMs: number;
}

/** Undefined while it is not over. */
export function authTimes(item: AuthItem, record: AuthRecord | undefined): AuthTimes | undefined {
  const { started, ended } = item;
  if (ended === undefined) return undefined;
  const between = (from: Moment, to: Moment) => durationBetween(from, to).ms;
  const waits = record === undefined ? [] : userWaits(record);
  const userMs = waits.reduce(
    (sum, { asked, answered }) => sum + between(asked, answered ?? ended),
    0,
  );
  return { totalMs: between(started, ended), userMs };
}

/** State and times of an authorization on one line: `logged in · 4.2 s, of which you 3.1 s`. */
export function authSummary(item: AuthItem, record: AuthRecord | undefined): string {
  const times = authTimes(item, record);
  const words = authStateWords(item, record);
  if (times === undefined) return words;
  const { totalMs, userMs } = times;
  const ofUser = userMs > 0 ? `, of which you ${formatDuration(userMs)}` : '';
  return `${words} · ${formatDuration(totalMs)}${ofUser}`;
}
