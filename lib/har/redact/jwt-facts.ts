import { looseNumber, looseObject, looseText, type Loose } from '../loose-json.ts';
import type { JwtFacts } from '../har-format.ts';
import { fromBase64 } from '../text-bytes.ts';

/** What a JWT says of itself that is no secret (RFC 7519, 4.1); undefined where the text is none. */
export function jwtFacts(token: string, clean: (text: string) => string): JwtFacts | undefined {
  const [head = '', claims = '', ...rest] = token.split('.');
  if (rest.length !== 1 || !head.startsWith('eyJ') || !claims.startsWith('eyJ')) return undefined;
  const header = part(head);
  const payload = part(claims);
  if (header === undefined || payload === undefined) return undefined;
  const facts: JwtFacts = {};
  for (const key of ['alg', 'typ'] as const) {
    const text = looseText(header[key]);
    if (text !== undefined) facts[key] = clean(text);
  }
  const issuer = looseText(payload['iss']);
  if (issuer !== undefined) facts.iss = clean(issuer);
  const audience = audienceOf(payload['aud'], clean);
  if (audience !== undefined) facts.aud = audience;
  for (const key of ['exp', 'iat', 'nbf'] as const) {
    const time = looseNumber(payload[key]);
    if (time !== undefined) facts[key] = time;
  }
  const scopes = looseText(payload['scope']) ?? looseText(payload['scp']);
  if (scopes !== undefined) facts.scopes = scopes.split(' ').filter((scope) => scope !== '').length;
  return facts;
}

function audienceOf(value: unknown, clean: (text: string) => string): JwtFacts['aud'] {
  if (!Array.isArray(value)) {
    const text = looseText(value);
    return text === undefined ? undefined : clean(text);
  }
  const list: unknown[] = value;
  return list.flatMap((each) => (typeof each === 'string' ? [clean(each)] : []));
}

function part(text: string): Loose | undefined {
  try {
    const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
    return looseObject(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
