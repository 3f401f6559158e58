/** A whole occurrence; `offset` is negative where it began in an earlier chunk. */
type Found = (offset: number) => void;

/** One secret, as it is searched for in text that may come in chunks. */
export interface SecretPattern {
  readonly length: number;
  /**
   * Reports every occurrence that ends in this chunk. `matched` is what the call for the previous chunk
   * returned: how much of the secret the text so far ends with.
   */
  scan(chunk: string, matched: number, found: Found): number;
}

const NOTHING = { at: 0, state: 0 };

/**
 * Prepares a search by Knuth, Morris and Pratt, whose state is one number; inside a chunk the engine's own
 * search, which is many times faster, leads from one occurrence to the next.
 */
export function createSecretPattern(secret: string): SecretPattern {
  const { length } = secret;
  const first = secret.charAt(0);
  let table: Int32Array | undefined;
  const fallback = (state: number) => (table ??= fallbacksOf(secret))[state - 1] ?? 0;

  /** How much of the secret still matches after `state` characters did, then `code` came. */
  function step(state: number, code: number): number {
    let next = state;
    while (next > 0 && secret.charCodeAt(next) !== code) next = fallback(next);
    return secret.charCodeAt(next) === code ? next + 1 : next;
  }

  /** Follows a match from `from` on while `goesOn`; returns where it stopped, and what matched there. */
  function follow(
    chunk: string,
    from: number,
    matched: number,
    found: Found,
    goesOn: (state: number, at: number) => boolean,
  ): { at: number; state: number } {
    let at = from;
    let state = matched;
    while (at < chunk.length && goesOn(state, at)) {
      state = step(state, chunk.charCodeAt(at));
      at += 1;
      if (state < length) continue;
      found(at - length);
      state = fallback(length);
    }
    return { at, state };
  }

  return {
    length,
    scan(chunk, matched, found) {
      // A match that began in an earlier chunk is longer than what was read of this one.
      const begun =
        matched === 0 ? NOTHING : follow(chunk, 0, matched, found, (state, at) => state > at);
      if (matched > 0 && begun.at === chunk.length) return begun.state;
      let hit = chunk.indexOf(secret, begun.at - begun.state);
      while (hit >= 0) {
        found(hit);
        const shared = fallback(length);
        const overlap = follow(chunk, hit + length, shared, found, (state) => state > 0);
        hit = chunk.indexOf(secret, overlap.at);
      }
      // What the chunk ends with is a beginning of it only where its last character is one of it.
      if (!secret.includes(chunk.slice(-1))) return 0;
      const tail = chunk.indexOf(first, Math.max(0, chunk.length - length + 1));
      if (tail < 0) return 0;
      return follow(
        chunk,
        tail,
        0,
        () => undefined,
        () => true,
      ).state;
    },
  };
}

/** For every prefix of the secret: the length of the longest shorter prefix that it also ends with. */
function fallbacksOf(secret: string): Int32Array {
  const fallbacks = new Int32Array(secret.length);
  let matched = 0;
  for (let at = 1; at < secret.length; at += 1) {
    while (matched > 0 && secret.charCodeAt(matched) !== secret.charCodeAt(at)) {
      matched = fallbacks[matched - 1] ?? 0;
    }
    if (secret.charCodeAt(matched) === secret.charCodeAt(at)) matched += 1;
    fallbacks[at] = matched;
  }
  return fallbacks;
}
