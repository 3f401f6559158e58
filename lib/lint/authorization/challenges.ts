import { challengeValues, type Challenge, type ChallengeNote } from '../../protocol/challenge.ts';
import { V3 } from '../clause.ts';
import type { ConnectionFact, Detectors, Fact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { AUT } from '../rules/authorization.ts';
import type { ConnectionState } from '../state.ts';
import {
  isAuthorized,
  isChallengeCut,
  isForServer,
  jsonIn,
  late,
  tokenChallenges,
  urlOf,
  type AuthMemory,
  type Memories,
} from './memory.ts';

type Head = Fact<'http-response'>;

const NOTES: Record<ChallengeNote, string> = {
  duplicate: 'stands there twice',
  'not-quoted': 'has a value that needs quotes',
  'single-quoted': 'is in single quotes',
  'no-comma-before': 'has no comma before it',
};

/** Steps of one call from scope to scope; a client should stop long before. */
const STEP_UPS = 3;

function first(challenges: readonly Challenge[], name: string): string | undefined {
  return challenges.flatMap((challenge) => challengeValues(challenge, name))[0];
}

function isMetadataOfResource(memory: AuthMemory, url: string): boolean {
  return memory.named.has(url) || url.includes('/.well-known/oauth-protected-resource');
}

/** Answers that ask for authorization. */
export function challengeDetectors(memories: Memories): Detectors {
  /** Without where to look, everything hangs on the well-known places: `isFound` tells what they gave. */
  function judgePointer(
    connection: ConnectionState,
    isFound: boolean | undefined,
  ): Finding | undefined {
    const memory = memories(connection);
    const { unpointed } = memory;
    if (unpointed === undefined) return undefined;
    delete memory.unpointed;
    const { exchange, event } = unpointed;
    const finding: Finding = {
      rule: AUT.noPointer,
      side: 'server',
      group: isFound === true ? 'found' : 'lost',
      itemKey: exchange.itemKey,
      evidence: [evidenceOf(event)],
      message:
        isFound === true
          ? 'The 401 names no `resource_metadata`; the metadata is at a well-known URL, where clients have to guess it.'
          : isFound === false
            ? 'The 401 names no `resource_metadata`, and no metadata is at the well-known URLs.'
            : 'The 401 names no `resource_metadata`.',
      advice:
        'Answer with WWW-Authenticate: Bearer resource_metadata="…", the URL of the protected resource metadata.',
    };
    return late(finding, connection, memory, (revision) => {
      if (revision === V3) return 'error';
      if (isFound === undefined) return undefined;
      return isFound ? 'info' : 'error';
    });
  }

  function pointer(fact: Head): Finding | undefined {
    const { connection, exchange, event } = fact;
    if (event.status !== 401 || !isForServer(exchange)) return undefined;
    const memory = memories(connection);
    memory.challenged = exchange;
    const { challenges } = tokenChallenges(event);
    const urls = challenges.flatMap((each) => challengeValues(each, 'resource_metadata'));
    for (const url of urls) memory.named.add(url);
    // A token that was taken before shows that the way is known.
    const mayLack = urls.length === 0 && !memory.hasToken && !isChallengeCut(event);
    if (mayLack) memory.unpointed = fact;
    return undefined;
  }

  /** Whoever goes on to the authorization server has found metadata, or has none. */
  function lookedFor({ connection, exchange }: Fact<'http-request'>): Finding | undefined {
    const { purpose } = exchange.record.request;
    const memory = memories(connection);
    const isNext = purpose === 'discovery' && !isMetadataOfResource(memory, urlOf(exchange));
    if (!isNext && purpose !== 'registration' && purpose !== 'token') return undefined;
    return judgePointer(connection, memory.issuers.length > 0);
  }

  function found({ connection, exchange }: Fact<'http-end'>): Finding | undefined {
    if (exchange.record.request.purpose !== 'discovery' || exchange.head?.status !== 200) {
      return undefined;
    }
    const memory = memories(connection);
    if (!isMetadataOfResource(memory, urlOf(exchange))) return undefined;
    const servers = jsonIn(exchange)?.['authorization_servers'];
    const isFound = Array.isArray(servers) && servers.length > 0;
    return isFound ? judgePointer(connection, true) : undefined;
  }

  function ended({ connection, event }: ConnectionFact): Finding | undefined {
    if (event.kind === 'auth-ended') {
      return judgePointer(connection, memories(connection).issuers.length > 0);
    }
    const isOver = event.kind === 'connection-failed' || event.kind === 'connection-closed';
    return isOver ? judgePointer(connection, undefined) : undefined;
  }

  function malformed({ connection, exchange, event }: Head): Finding | undefined {
    if (!isForServer(exchange) || isChallengeCut(event)) return undefined;
    const { challenges, ignored } = tokenChallenges(event);
    const faults = challenges.flatMap(({ params }) =>
      params.flatMap(({ name, notes }) => notes.map((note) => `\`${name}\` ${NOTES[note]}`)),
    );
    const all = [...faults, ...ignored.map((text) => text.replace(/\.$/, ''))];
    const [fault] = all;
    if (fault === undefined) return undefined;
    return late(
      {
        rule: AUT.challenge,
        side: 'server',
        group: all.join(),
        message: `WWW-Authenticate is not as its grammar wants it: ${all.slice(0, 3).join('; ')}.`,
        advice: 'Clients that read it by the letter find something else, or nothing.',
      },
      connection,
      memories(connection),
    );
  }

  function stepUp({ connection, exchange, event }: Head): Finding | undefined {
    if (event.status !== 403 || !isForServer(exchange)) return undefined;
    const { challenges } = tokenChallenges(event);
    if (first(challenges, 'error')?.toLowerCase() !== 'insufficient_scope') return undefined;
    const memory = memories(connection);
    memory.challenged = exchange;
    const missing = ['scope', 'resource_metadata'].filter(
      (name) => first(challenges, name) === undefined,
    );
    if (missing.length === 0) return undefined;
    return late(
      {
        rule: AUT.thinStepUp,
        side: 'server',
        group: missing.join(),
        message: `The 403 says insufficient_scope without ${missing.map((name) => `\`${name}\``).join(' and ')}.`,
        advice: 'Name all scopes that the call needs, so that one more login is enough.',
      },
      connection,
      memory,
    );
  }

  function offlineAccess({ connection, exchange, event }: Head): Finding | undefined {
    if (!isForServer(exchange)) return undefined;
    const scopes = tokenChallenges(event).challenges.flatMap((each) =>
      challengeValues(each, 'scope'),
    );
    if (!scopes.some((scope) => scope.split(' ').includes('offline_access'))) return undefined;
    return late(
      {
        rule: AUT.offlineAccess,
        side: 'server',
        group: 'challenge',
        message:
          'The challenge asks for the scope offline_access, which is not a matter of the resource.',
        advice: 'Clients that want refresh tokens ask for it by themselves.',
      },
      connection,
      memories(connection),
    );
  }

  function wrongStatus({ connection, exchange, event }: Head): Finding | undefined {
    if (!isForServer(exchange) || !isAuthorized(exchange) || event.status === 401) return undefined;
    const { challenges } = tokenChallenges(event);
    if (first(challenges, 'error')?.toLowerCase() !== 'invalid_token') return undefined;
    return late(
      {
        rule: AUT.wrongStatus,
        side: 'server',
        group: String(event.status),
        message: `The token was refused as invalid_token with status ${event.status}, not with 401.`,
        advice: 'Clients get a new token after a 401 only.',
      },
      connection,
      memories(connection),
    );
  }

  function retried({ connection, exchange }: Fact<'http-request'>): Finding | undefined {
    const { reason } = exchange.record.request.links;
    if (reason !== 'authorization' && reason !== 'step-up') return undefined;
    let count = 0;
    const seen = new Set<string>();
    let { retryOf } = exchange.record.request.links;
    while (retryOf !== undefined && !seen.has(retryOf)) {
      seen.add(retryOf);
      const links = connection.exchanges.get(retryOf)?.record.request.links;
      if (links?.reason === reason) count += 1;
      retryOf = links?.retryOf;
    }
    if (count < (reason === 'authorization' ? 1 : STEP_UPS)) return undefined;
    return {
      rule: AUT.retried,
      side: 'client',
      group: reason,
      message:
        reason === 'authorization'
          ? `A 401 was answered by another token ${count + 1} times for one request.`
          : `One request was repeated with more scopes ${count + 1} times.`,
      advice: 'Stop, and show what the server says.',
    };
  }

  function remember({ connection, exchange, event }: Head): undefined {
    if (isForServer(exchange) && isAuthorized(exchange) && event.status !== 401) {
      memories(connection).hasToken = true;
    }
  }

  return {
    request: [lookedFor, retried],
    head: [pointer, malformed, stepUp, offlineAccess, wrongStatus, remember],
    end: [found],
    connection: [ended],
  };
}
