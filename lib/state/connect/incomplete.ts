import type { ProfileHeader, RecentServer } from '../../port/contract.ts';

/** Members of the options for authorization that a list of servers keeps empty. */
const PROOF = /^(secret|privateKeyPem|clientSecret|idToken|workloadToken)$/;

type Known = Pick<RecentServer, 'options'> & { headers: readonly ProfileHeader[] };

/** A secret that was not kept with its server: a header by its name, or a proof by that of its member. */
export interface NotKept {
  kind: 'header' | 'proof';
  name: string;
}

/** What was not kept of a server, and has to be typed again before it can be connected to. */
export function notKept({ headers, options }: Known): NotKept[] {
  const found: NotKept[] = headers
    .filter(({ secret, value }) => secret && /^(bearer|basic)?\s*$/i.test(value))
    .map(({ name }) => ({ kind: 'header', name }));
  JSON.stringify(options?.auth, (name, value: unknown) => {
    if (value === '' && PROOF.test(name)) found.push({ kind: 'proof', name });
    return value;
  });
  return found;
}
