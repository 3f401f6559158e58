import { joined, type SieveFactory } from './sieve.ts';

/** No answer with a token is longer, in bytes. Whoever reads one stops there, since nothing is held beyond. */
export const LONGEST_TOKEN_BODY = 512 * 1024;

/** Members and fields of answers of authorization servers whose values are worth stealing. */
const NAMES =
  'access_token|refresh_token|id_token|client_secret|registration_access_token|device_code|assertion';
const IN_JSON = new RegExp(`"(?:${NAMES})"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"?)`, 'g');
const IN_FORM = new RegExp(`(?:^|&)(?:${NAMES})=([^&\\s]+)`, 'g');

const utf8 = new TextDecoder();

/**
 * Finds the tokens and secrets in an answer of an authorization server before it is recorded, well-formed or
 * not. Such a body is short, so it is held until its end.
 */
export const createTokenSieve: SieveFactory = (keepSecret) => {
  let held: Uint8Array | undefined;
  let isOver = false;
  return {
    admit(chunk) {
      if (isOver) return chunk;
      if (chunk !== undefined) held = held === undefined ? chunk : joined(held, chunk);
      if (held === undefined) return undefined;
      if (chunk !== undefined && held.length <= LONGEST_TOKEN_BODY) return undefined;
      isOver = true;
      for (const value of secretsIn(utf8.decode(held))) keepSecret?.(value);
      return held;
    },
  };
};

function secretsIn(text: string): string[] {
  const inJson = [...text.matchAll(IN_JSON)].map(([, quoted = '']) => unquoted(quoted));
  const inForm = [...text.matchAll(IN_FORM)].map(([, value = '']) => {
    return new URLSearchParams(`v=${value}`).get('v') ?? value;
  });
  return [...inJson, ...inForm].filter((value) => value !== '');
}

function unquoted(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : '';
  } catch {
    return quoted.replaceAll('"', '');
  }
}
