import type { Problem } from '../errors.ts';
import type { Secrets, SplitSecret } from './secrets.ts';
import type { StoredBytes, StoredUrl } from './store/stored-text.ts';
import type { HttpEnd, WireFact } from './wire-event.ts';

/**
 * Cuts known secrets out of every text and byte range of a fact, in place, but for what the fact refers to: that
 * may be in use elsewhere, and is copied. The names of carriers whose body is still being recorded are remembered,
 * since a chunk boundary may split a secret.
 */
export function createFactMask(secrets: Secrets): (fact: WireFact) => void {
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

  return (fact) => {
    switch (fact.kind) {
      case 'connection-opened': {
        const headers = fact.profile.headers.map(secrets.maskHeader);
        fact.profile = { ...fact.profile, url: maskUrl(fact.profile.url), headers };
        return;
      }
      case 'connection-failed':
        fact.problem = maskProblem(fact.problem);
        return;
      case 'connection-chosen':
        if (fact.serverName !== undefined) fact.serverName = maskWords(fact.serverName);
        if (fact.serverVersion !== undefined) fact.serverVersion = maskWords(fact.serverVersion);
        return;
      case 'connection-state':
      case 'session-ended':
        fact.cause = maskWords(fact.cause);
        return;
      case 'session-assigned':
      case 'session-replaced': {
        const secret = secrets.register(fact.session);
        const { length } = fact.session;
        fact.cuts = [{ offset: 0, length, secret, from: 0 }];
        fact.session = '*'.repeat(length);
        return;
      }
      case 'http-request': {
        const { body, links } = fact;
        const { lastEventId } = links;
        fact.url = maskUrl(fact.url);
        fact.headers = fact.headers.map(secrets.maskHeader);
        if (body !== undefined) fact.body = maskBytes(body);
        if (lastEventId !== undefined) {
          fact.links = { ...links, lastEventId: maskWords(lastEventId) };
        }
        return;
      }
      case 'http-sent':
        fact.headers = fact.headers.map(secrets.maskHeader);
        fact.added = fact.added.map(secrets.maskHeader);
        return;
      case 'http-received':
        fact.statusLine = maskWords(fact.statusLine);
        fact.headers = fact.headers.map(secrets.maskHeader);
        return;
      case 'http-response':
        fact.statusText = maskWords(fact.statusText);
        fact.headers = fact.headers.map(secrets.maskHeader);
        return;
      case 'http-redirect':
        fact.location = maskWords(fact.location);
        fact.target = maskWords(fact.target);
        return;
      case 'http-chunk':
        fact.data = maskChunk(fact.httpId, fact.data);
        return;
      case 'http-end':
        splits.delete(fact.httpId);
        fact.end = maskEnd(fact.end);
        return;
      case 'sse-event':
        if (fact.id !== undefined) fact.id = maskWords(fact.id);
        if (fact.event !== undefined) fact.event = maskWords(fact.event);
        return;
      case 'sse-ignored':
      case 'rung-judged':
      case 'auth-step':
        fact.reason = maskWords(fact.reason);
        return;
      case 'endpoint-announced':
        fact.announced = maskWords(fact.announced);
        if (fact.url !== undefined) fact.url = maskUrl(fact.url);
        if (fact.problem !== undefined) fact.problem = maskProblem(fact.problem);
        return;
      case 'auth-challenged':
        if (fact.secret !== undefined) fact.secret = secrets.register(fact.secret);
        return;
      case 'auth-credential':
        fact.secret = secrets.register(fact.secret);
        return;
      case 'auth-consent':
        if (fact.url !== undefined) fact.url = maskUrl(fact.url);
        return;
      case 'auth-resolved':
      case 'auth-ended':
        if (fact.problem !== undefined) fact.problem = maskProblem(fact.problem);
        return;
      case 'auth-started':
      case 'socket-opening':
      case 'page-navigated':
        fact.url = maskUrl(fact.url);
        return;
      case 'socket-frame':
        fact.data = maskBytes(fact.data);
        return;
      default:
    }
  };
}

/** A view of a larger buffer would take the whole buffer to the database with it. */
function ownBytes({ bytes, cuts }: StoredBytes): StoredBytes {
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  return cuts === undefined ? { bytes: own } : { bytes: own, cuts };
}
