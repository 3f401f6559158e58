import type { AuthVerdict } from '../../capture/auth-fact.ts';
import type { AuthRecord, ChainFact } from '../../capture/correlate/auth-record.ts';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Moment } from '../../capture/correlate/items.ts';
import type { StoredUrl } from '../../capture/store/stored-text.ts';
import type { EventOf } from '../../capture/wire-event.ts';
import type { Problem } from '../../errors.ts';
import { credentialOf, saidIn, urlPlace } from './auth-exchange.ts';
import { ruleFor, type AuthRule, type AuthTopic } from './auth-clauses.ts';
import { CONSENTS, EXCHANGES, QUESTIONS, STEPS } from './auth-ladder-words.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import { httpStatus } from '../detail/http-status.ts';

/** What was found about one step, and what a standard says to it. */
export interface LadderVerdict extends AuthRule {
  verdict: AuthVerdict;
  reason: string;
}

/** One rung: an exchange, a question to the user, or a decision of ours. */
export interface LadderLine {
  key: string;
  topic: AuthTopic | 'question' | 'credential' | 'start';
  /** What was done, in a few words. */
  what: string;
  /** Where: a path, with its host where that is not the server's. */
  place: string;
  url?: StoredUrl;
  /** Status of the answer, or what became of it in words. */
  status: string;
  verdicts: LadderVerdict[];
  /** Fingerprint of the access token that was sent, or that came. */
  token?: string;
  /** Sent once more after it was refused. */
  isStale: boolean;
  started: Moment;
  ended?: Moment;
  /** The time was the user's. */
  isOfUser: boolean;
  /** The exchange that it is about. */
  httpId?: string;
  /** Requests that waited with this one. */
  others: number;
  /** It is under way. */
  isOpen: boolean;
}

/** An authorization, step by step. */
export interface Ladder {
  lines: LadderLine[];
  /** Why it stopped, or why what came of it was of no use; its last line is where. */
  problem?: Problem;
}

type Source = Pick<Correlation, 'https' | 'connections'>;

/** Draws up the steps of an authorization in the order of the log. */
export function toLadder(record: AuthRecord, source: Source): Ladder {
  const lines: LadderLine[] = [];
  /** By life and number of the step: numbers begin anew where a login goes on. */
  const bySteps = new Map<string, LadderLine>();
  const byExchange = new Map<string, LadderLine>();
  const refused = new Set<string>();
  let life = 0;
  let problem: Problem | undefined;
  const [first] = record.facts;
  const connection = source.connections.get(first?.connectionId ?? '');
  const isModern = connection?.era === 'modern';
  const serverUrl = record.facts.find((fact) => fact.kind === 'auth-started')?.url.text ?? '';

  function add(
    event: ChainFact | EventOf<'http-request'>,
    line: Pick<LadderLine, 'topic' | 'what'> & Partial<LadderLine>,
  ): LadderLine {
    const added: LadderLine = {
      key: `${event.sequence}`,
      place: '',
      status: '',
      verdicts: [],
      isStale: false,
      started: event,
      isOfUser: false,
      others: 0,
      isOpen: false,
      ...line,
    };
    lines.push(added);
    return added;
  }

  function judge(line: LadderLine, topic: AuthTopic, verdict: AuthVerdict, reason: string): void {
    const said = reason === 'scope ' ? 'a token without a scope' : reason;
    line.verdicts.push({ verdict, reason: said, ...ruleFor({ topic, verdict, reason }, isModern) });
  }

  /** A line for an exchange, with what its answer says. */
  function addExchange(event: EventOf<'http-request'>, line: Pick<LadderLine, 'topic' | 'what'>) {
    const { httpId } = event;
    const exchange = source.https.get(httpId);
    const { end, response } = exchange ?? {};
    const status = httpStatus(exchange);
    // What an authorization server is sent is the secret of a client, and no token.
    const isToServer = line.topic === 'challenge' || line.topic === 'repeat';
    const token = isToServer && exchange ? credentialOf(exchange).fingerprint : undefined;
    const added = add(event, {
      ...line,
      place: urlPlace(event.url.text, serverUrl),
      url: event.url,
      status: status === undefined ? (end === undefined ? 'pending' : 'no response') : `${status}`,
      httpId,
      isOpen: end === undefined && response === undefined,
      ...(token === undefined ? {} : { token, isStale: refused.has(token) }),
      ...(end === undefined ? {} : { ended: end }),
    });
    byExchange.set(httpId, added);
    return added;
  }

  function takeExchange(event: EventOf<'http-request'>): void {
    const { purpose, links, url } = event;
    const known = EXCHANGES[purpose];
    if (known !== undefined || purpose === 'discovery') {
      const topic = topicOf(purpose, url.text);
      const line = addExchange(event, { topic, what: known ?? STEPS[topic] });
      const key = `${life}.${links.authStep ?? ''}`;
      if (links.authStep !== undefined && !bySteps.has(key)) bySteps.set(key, line);
      return;
    }
    const what = links.reason === 'nonce' ? 'repeat with a nonce' : STEPS.repeat;
    const line = addExchange(event, { topic: 'repeat', what });
    if (/^(?:401|403)$/.test(line.status)) {
      if (line.token !== undefined) refused.add(line.token);
      judge(
        line,
        'repeat',
        'refused',
        `answered ${line.status}${saidIn(source.https.get(event.httpId))}`,
      );
    }
  }

  function takeChallenge(fact: EventOf<'auth-challenged'>): void {
    if (fact.secret !== undefined) refused.add(fact.secret);
    const earlier = lines.find(({ topic }) => topic === 'challenge');
    if (earlier !== undefined) return void (earlier.others += 1);
    const exchange = source.https.get(fact.httpId);
    if (exchange === undefined) return;
    const line = addExchange(exchange.request, { topic: 'challenge', what: STEPS.challenge });
    line.isStale = false;
    if (fact.secret !== undefined) line.token = fact.secret;
    const said = saidIn(exchange);
    if (said === '') judge(line, 'challenge', 'noted', 'no WWW-Authenticate header');
    bySteps.set(`${life + 1}.1`, line);
  }

  function takeStep(fact: EventOf<'auth-step'>): void {
    const { what: topic, verdict, reason, httpId, step } = fact;
    const key = `${life}.${step}`;
    const last = lines.at(-1);
    // What was asked for is refused in a step of its own.
    const asked = topic === 'permission' && last?.topic === 'permission' ? last : undefined;
    let line = byExchange.get(httpId ?? '') ?? asked ?? bySteps.get(key);
    if (line === undefined) {
      line = add(fact, { topic, what: STEPS[topic] });
      bySteps.set(key, line);
    }
    if (topic === 'refresh' && line.topic === 'token') {
      line.topic = topic;
      line.what = STEPS.refresh;
    }
    judge(line, topic, verdict, reason);
  }

  /** What the user is asked, and answers; `key` tells questions apart. */
  function takeQuestion(
    fact: ChainFact,
    key: string,
    line: Pick<LadderLine, 'topic' | 'what'> & Partial<LadderLine>,
    answer: string | undefined,
  ): void {
    const open = lines.findLast((one) => one.key.startsWith(`${key} `) && one.isOpen);
    const asked =
      open ?? add(fact, { ...line, key: `${key} ${fact.sequence}`, isOfUser: true, isOpen: true });
    asked.status = answer ?? 'waits for you';
    if (answer === undefined) return;
    asked.isOpen = false;
    asked.ended = fact;
  }

  function takeConsent(fact: EventOf<'auth-consent'>): void {
    const { state, step, url } = fact;
    const answer = state === 'opened' ? undefined : CONSENTS[state];
    const page = state === 'opened' ? url : undefined;
    const place = page === undefined ? '' : (URL.parse(page.text)?.host ?? '');
    const line = {
      topic: 'consent',
      what: STEPS.consent,
      place,
      ...(page && { url: page }),
    } as const;
    takeQuestion(fact, 'consent', line, answer);
    const last = lines.at(-1);
    if (last !== undefined) bySteps.set(`${life}.${step}`, last);
  }

  function take(fact: ChainFact): void {
    switch (fact.kind) {
      case 'auth-challenged':
        return takeChallenge(fact);
      case 'auth-started':
        life += 1;
        problem = undefined;
        if (fact.reason === 'refresh' && life === 1) {
          add(fact, { topic: 'start', what: 'token expired', status: 'refreshed before use' });
        }
        return;
      case 'auth-step':
        return takeStep(fact);
      case 'auth-question': {
        const what = QUESTIONS[fact.question.kind];
        return takeQuestion(
          fact,
          `question ${fact.step}`,
          { topic: 'question', what },
          fact.answer,
        );
      }
      case 'auth-consent':
        return takeConsent(fact);
      case 'permission-asked':
      case 'permission-granted':
      case 'permission-denied': {
        const line = { topic: 'permission', what: STEPS.permission, place: fact.host } as const;
        const answers = { 'permission-granted': 'allowed', 'permission-denied': 'denied' } as const;
        const answer = fact.kind === 'permission-asked' ? undefined : answers[fact.kind];
        return takeQuestion(fact, `permission ${fact.host}`, line, answer);
      }
      case 'auth-credential': {
        const { change, secret, reason = '' } = fact;
        if (change === 'dropped') {
          const line = { topic: 'credential', what: 'token dropped', status: reason } as const;
          return void add(fact, { ...line, token: secret });
        }
        const line = lines.findLast(({ topic }) => topic === 'token' || topic === 'refresh');
        if (line !== undefined) line.token = secret;
        return;
      }
      case 'auth-ended':
        if (fact.problem !== undefined) problem = fact.problem;
        for (const line of lines) if (line.httpId === undefined) line.isOpen = false;
        return;
      case 'auth-resolved':
        // The repeat was refused as well.
        if (fact.problem?.code === 'auth-rejected') problem = fact.problem;
        return;
      case 'permission-revoked':
    }
  }

  const events = [...record.facts, ...record.exchanges].toSorted(
    (one, other) => one.sequence - other.sequence,
  );
  for (const event of events) {
    if (event.kind === 'http-request') takeExchange(event);
    else take(event);
  }
  return problem === undefined ? { lines } : { lines, problem };
}

function topicOf(purpose: EventOf<'http-request'>['purpose'], url: string): AuthTopic {
  switch (purpose) {
    case 'registration':
    case 'token':
    case 'revocation':
      return purpose;
    default:
      return url.includes('/oauth-protected-resource') ? 'resource-metadata' : 'server-metadata';
  }
}

/** Milliseconds that a line took; undefined while it is not over, and for what is a moment. */
export function lineMs({ started, ended }: LadderLine): number | undefined {
  return ended === undefined ? undefined : durationBetween(started, ended).ms;
}
