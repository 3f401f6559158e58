import type { Problem } from '../errors.ts';
import type { Secrets, SplitSecret } from './secrets.ts';
import type { StoredBytes, StoredUrl } from './stored-text.ts';
import type { HttpEnd, WireFact } from './wire-event.ts';

/**
 * Cuts known secrets out of every text and byte range of a fact. The names of carriers whose body is still
 * being recorded are remembered, since a chunk boundary may split a secret.
 */
export function createFactMask(secrets: Secrets): (fact: WireFact) => WireFact {
  const splits = new Map<string, SplitSecret[]>();

  const maskUrl = (url: StoredUrl): StoredUrl => secrets.maskUrl(url.text);
  /** Text that has no room for cuts: what is masked in it cannot be joined back. */
  const maskWords = (text: string): string => secrets.maskUrl(text).text;

  function maskBytes(data: StoredBytes): StoredBytes {
    return ownBytes(secrets.maskChunk(data.bytes));
  }

  function maskChunk(httpId: string, data: StoredBytes): StoredBytes {
    const masked = secrets.maskChunk(data.bytes, splits.get(httpId));
    if (masked.split !== undefined) splits.set(httpId, masked.split);
    else if (splits.size > 0) splits.delete(httpId);
    return ownBytes(masked);
  }

  /** What servers and platforms say of a failure may quote what we sent. */
  function maskProblem(problem: Problem): Problem {
    const { message, advice, detail } = problem;
    return {
      ...problem,
      message: maskWords(message),
      ...(advice === undefined ? {} : { advice: maskWords(advice) }),
      ...(detail === undefined ? {} : { detail: maskWords(detail) }),
    };
  }

  function maskEnd(end: HttpEnd): HttpEnd {
    if (end.outcome === 'failed') return { ...end, problem: maskProblem(end.problem) };
    if (end.outcome === 'aborted' && end.note !== undefined) {
      return { ...end, note: maskWords(end.note) };
    }
    return end;
  }

  function maskSseEvent(fact: WireFact & { kind: 'sse-event' }): WireFact {
    const id = fact.id === undefined ? undefined : maskWords(fact.id);
    const event = fact.event === undefined ? undefined : maskWords(fact.event);
    // Nearly always nothing is found, and a stream may hold very many of these.
    if (id === fact.id && event === fact.event) return fact;
    return {
      ...fact,
      ...(id === undefined ? {} : { id }),
      ...(event === undefined ? {} : { event }),
    };
  }

  return (fact) => {
    switch (fact.kind) {
      case 'connection-opened': {
        const headers = fact.profile.headers.map(secrets.maskHeader);
        return { ...fact, profile: { ...fact.profile, url: maskUrl(fact.profile.url), headers } };
      }
      case 'connection-failed':
        return { ...fact, problem: maskProblem(fact.problem) };
      case 'connection-state':
      case 'session-ended':
        return { ...fact, cause: maskWords(fact.cause) };
      case 'session-assigned':
      case 'session-replaced': {
        const secret = secrets.register(fact.session);
        const length = fact.session.length;
        const cuts = [{ offset: 0, length, secret, from: 0 }];
        return { ...fact, session: '*'.repeat(length), cuts };
      }
      case 'http-request': {
        const { body, links } = fact;
        const { lastEventId } = links;
        const url = maskUrl(fact.url);
        const masked = { ...fact, url, headers: fact.headers.map(secrets.maskHeader) };
        if (body !== undefined) masked.body = maskBytes(body);
        if (lastEventId !== undefined) {
          masked.links = { ...links, lastEventId: maskWords(lastEventId) };
        }
        return masked;
      }
      case 'http-sent':
        return {
          ...fact,
          headers: fact.headers.map(secrets.maskHeader),
          added: fact.added.map(secrets.maskHeader),
        };
      case 'http-received':
      case 'http-response':
        return { ...fact, headers: fact.headers.map(secrets.maskHeader) };
      case 'http-redirect':
        return { ...fact, location: maskWords(fact.location), target: maskWords(fact.target) };
      case 'http-chunk':
        return { ...fact, data: maskChunk(fact.httpId, fact.data) };
      case 'http-end':
        splits.delete(fact.httpId);
        return { ...fact, end: maskEnd(fact.end) };
      case 'sse-event':
        return maskSseEvent(fact);
      case 'sse-ignored':
        return { ...fact, reason: maskWords(fact.reason) };
      case 'endpoint-announced':
        return {
          ...fact,
          announced: maskWords(fact.announced),
          ...(fact.url === undefined ? {} : { url: maskUrl(fact.url) }),
          ...(fact.problem === undefined ? {} : { problem: maskProblem(fact.problem) }),
        };
      case 'auth-challenged':
        return fact.secret === undefined
          ? fact
          : { ...fact, secret: secrets.register(fact.secret) };
      case 'auth-credential':
        return { ...fact, secret: secrets.register(fact.secret) };
      case 'auth-consent':
        return fact.url === undefined ? fact : { ...fact, url: maskUrl(fact.url) };
      case 'auth-step':
        return { ...fact, reason: maskWords(fact.reason) };
      case 'auth-resolved':
      case 'auth-ended':
        return fact.problem === undefined ? fact : { ...fact, problem: maskProblem(fact.problem) };
      case 'auth-started':
      case 'socket-opening':
      case 'page-navigated':
        return { ...fact, url: maskUrl(fact.url) };
      case 'socket-frame':
        return { ...fact, data: maskBytes(fact.data) };
      default:
        return fact;
    }
  };
}

/** A view of a larger buffer would take the whole buffer to the database with it. */
function ownBytes({ bytes, cuts }: StoredBytes): StoredBytes {
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  return cuts === undefined ? { bytes: own } : { bytes: own, cuts };
}
