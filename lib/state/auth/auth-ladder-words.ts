import type { AuthTopic } from './auth-clauses.ts';

/** What exchanges of a chain are for, by their purpose. */
export const EXCHANGES: Record<string, string> = {
  registration: 'register',
  token: 'token',
  revocation: 'revoke',
};

/** What steps are called. */
export const STEPS: Record<AuthTopic, string> = {
  challenge: 'challenge',
  'resource-metadata': 'resource metadata',
  'server-metadata': 'server metadata',
  permission: 'permission',
  registration: 'client',
  consent: 'log in',
  token: 'token',
  refresh: 'refresh',
  revocation: 'revoke',
  repeat: 'repeat',
};

/** What became of a page that was opened for the user. */
export const CONSENTS = {
  opened: 'waits for you',
  received: 'code received',
  denied: 'denied',
  closed: 'closed',
  interrupted: 'interrupted',
} as const;

/** What the user decides, in short. */
export const QUESTIONS = {
  'parent-resource': 'wider token?',
  'issuer-slash': 'issuer with a slash?',
  'assume-s256': 'assume S256?',
  'register-instead': 'register instead?',
} as const;
