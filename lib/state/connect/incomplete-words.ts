import type { NotKept } from './incomplete.ts';

const PROOFS: Record<string, string> = {
  secret: 'client secret',
  privateKeyPem: 'private key',
  clientSecret: 'secret at the identity provider',
  idToken: 'ID token',
  workloadToken: 'workload JWT',
};

/** What a secret is called on screen. */
export function notKeptTitle({ kind, name }: NotKept): string {
  return kind === 'header' ? name : (PROOFS[name] ?? name);
}

/** Says what is to be typed again. */
export function notKeptWords(asked: readonly NotKept[]): string {
  return `Not kept with this server: ${asked.map(notKeptTitle).join(', ')}. Type it again, then connect.`;
}
