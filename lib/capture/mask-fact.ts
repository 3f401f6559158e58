import type { Secrets, SplitSecret } from './secrets.ts';
import type { StoredBytes, StoredUrl, WireFact } from './wire-event.ts';

/**
 * Cuts known secrets out of every text and byte range of a fact. The names of carriers whose body is still
 * being recorded are remembered, since a chunk boundary may split a secret.
 */
export function createFactMask(secrets: Secrets): (fact: WireFact) => WireFact {
  const splits = new Map<string, SplitSecret>();

  const maskUrl = (url: StoredUrl): StoredUrl => secrets.maskText(url.text);
  const maskWhole = (data: StoredBytes): StoredBytes => {
    const { bytes, cuts } = secrets.maskChunk(data.bytes);
    return cuts === undefined ? { bytes } : { bytes, cuts };
  };

  function maskChunk(httpId: string, data: StoredBytes): StoredBytes {
    const { bytes, cuts, split } = secrets.maskChunk(data.bytes, splits.get(httpId));
    if (split === undefined) splits.delete(httpId);
    else splits.set(httpId, split);
    return cuts === undefined ? { bytes } : { bytes, cuts };
  }

  return (fact) => {
    switch (fact.kind) {
      case 'connection-opened': {
        const headers = fact.profile.headers.map(secrets.maskHeader);
        return { ...fact, profile: { ...fact.profile, url: maskUrl(fact.profile.url), headers } };
      }
      case 'session-assigned':
      case 'session-replaced': {
        const secret = secrets.register(fact.session);
        const length = fact.session.length;
        const cuts = [{ offset: 0, length, secret, from: 0 }];
        return { ...fact, session: '*'.repeat(length), cuts };
      }
      case 'http-request':
        return {
          ...fact,
          url: maskUrl(fact.url),
          headers: fact.headers.map(secrets.maskHeader),
          ...(fact.body === undefined ? {} : { body: maskWhole(fact.body) }),
        };
      case 'http-sent':
      case 'http-received':
      case 'http-response':
        return { ...fact, headers: fact.headers.map(secrets.maskHeader) };
      case 'http-redirect':
        return {
          ...fact,
          location: secrets.maskText(fact.location).text,
          target: secrets.maskText(fact.target).text,
        };
      case 'http-chunk':
        return { ...fact, data: maskChunk(fact.httpId, fact.data) };
      case 'http-end':
        splits.delete(fact.httpId);
        return fact;
      case 'socket-opening':
      case 'page-navigated':
        return { ...fact, url: maskUrl(fact.url) };
      case 'socket-frame':
        return { ...fact, data: maskWhole(fact.data) };
      default:
        return fact;
    }
  };
}
