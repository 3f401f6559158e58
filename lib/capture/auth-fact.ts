import type { Problem } from '../errors.ts';
import type { StoredUrl } from './store/stored-text.ts';

/** Why a chain began, and why a request is repeated after it. */
export type AuthReason = 'authorization' | 'step-up';

/** The steps of an authorization. */
export type AuthStep =
  | 'challenge'
  | 'resource-metadata'
  | 'server-metadata'
  | 'permission'
  | 'registration'
  | 'consent'
  | 'token'
  | 'refresh'
  | 'revocation';

/**
 * What came of a step or of one attempt at it. `used`: the chain goes on with it. `passed-over`: the next one
 * is tried. `refused`: we do not go on with this, and the chain may end. `noted`: it is used all the same.
 */
export type AuthVerdict = 'used' | 'passed-over' | 'refused' | 'noted';

/** Something that only the user can decide; a chain waits for it. */
export type AuthQuestion =
  /** The token will be valid for all that is under this URL, of which the server's own is a part. */
  | { kind: 'parent-resource'; resource: string }
  /** The metadata is of an issuer that differs by a slash; strict clients stop here. */
  | { kind: 'issuer-slash'; expected: string; found: string }
  /** The server does not say that it supports PKCE with S256; strict clients stop here. */
  | { kind: 'assume-s256'; issuer: string }
  /** Nothing came of a client ID metadata document; the server also registers clients. */
  | { kind: 'register-instead'; issuer: string };

/** The steps of an authorization that its exchanges do not tell. Together they are one chain. */
export type AuthFact =
  /** An answer asks for authorization: its request waits for what comes of a chain, which may be under way. */
  | {
      kind: 'auth-challenged';
      httpId: string;
      chain: string;
      reason: AuthReason;
      /** Fingerprint of the access token that was sent; absent where none was. */
      secret?: string;
    }
  /** The wait is over: a repeat follows, or the answer stands, or nobody waited any longer. */
  | {
      kind: 'auth-resolved';
      httpId: string;
      chain: string;
      outcome: 'repeat' | 'stands' | 'left';
      problem?: Problem;
    }
  | {
      kind: 'auth-started';
      chain: string;
      reason: AuthReason | 'refresh' | 'sign-out';
      url: StoredUrl;
    }
  | {
      kind: 'auth-step';
      chain: string;
      step: number;
      what: AuthStep;
      verdict: AuthVerdict;
      /** In a few words, for the ladder. */
      reason: string;
      /** The exchange that it is about. */
      httpId?: string;
    }
  | {
      kind: 'auth-question';
      chain: string;
      step: number;
      question: AuthQuestion;
      /** Absent while it waits for the user. */
      answer?: 'yes' | 'no';
    }
  | {
      kind: 'auth-consent';
      chain: string;
      step: number;
      state: 'opened' | 'received' | 'denied' | 'closed' | 'interrupted';
      /** The page that was opened, or the redirect that came back. */
      url?: StoredUrl;
    }
  | {
      kind: 'auth-credential';
      chain?: string;
      change: 'stored' | 'dropped';
      /** Fingerprint of the access token. */
      secret: string;
      issuer: string;
      resource: string;
      scopes?: string[];
      /** Wall time, ms; absent where the server did not say. */
      expiresAt?: number;
      reason?: string;
    }
  | {
      kind: 'auth-ended';
      chain: string;
      outcome: 'authorized' | 'failed' | 'signed-out';
      problem?: Problem;
    };
