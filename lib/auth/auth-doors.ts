import type { AuthQuestion } from '../capture/auth-fact.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Header } from '../capture/store/stored-text.ts';
import type { WireFact } from '../capture/wire-event.ts';
import type { LoginAttempt } from './consent.ts';
import type { ClientRecord, Credential } from './credentials.ts';

/** One exchange of a chain. No redirect of it is followed, but for metadata within an origin. */
export interface AuthExchange {
  purpose: 'discovery' | 'registration' | 'token' | 'revocation';
  method: 'GET' | 'POST';
  url: string;
  headers: Header[];
  body?: string;
  chain: string;
  step: number;
}

export interface AuthReply {
  httpId: string;
  status: number;
  headers: Header[];
  text: string;
  /** Longer than any document of this kind: `text` is its beginning. */
  isTooLarge?: true;
}

/** The platform, as far as an authorization needs it. All of it is plain data, so it may be behind a port. */
export interface AuthDoors {
  /** Sends and records; rejects with an `AppError` where there is no answer. */
  send(exchange: AuthExchange): Promise<AuthReply>;
  /**
   * Opens a page of the authorization server for the user. Resolves with the URL that it redirected to, or
   * with `undefined` where the user left.
   */
  consent(chain: string, url: string, redirectUri: string): Promise<string | undefined>;
  /** Where the authorization server is to redirect to, as the settings want it. */
  redirectUri(wanted: AuthSettings['redirect']): Promise<string>;
  /** Whether requests to this URL may be sent; asks the user where they may not yet. */
  permission(chain: string, url: string): Promise<boolean>;
  /** Asks the user; `false` is a refusal. */
  decide(chain: string, question: AuthQuestion): Promise<boolean>;
  record(chain: string, fact: WireFact): void;
  /** Makes a value secret before anything that holds it is recorded. */
  keepSecret(value: string): Promise<void>;
  now(): number;
  store: AuthStore;
}

/** Credentials, as a chain reads and writes them. */
export interface AuthStore {
  find(serverUrl: string): Promise<Credential | undefined>;
  /** Resolves once it is kept: what it replaces may be forgotten only then. */
  save(serverUrl: string, credential: Credential): Promise<void>;
  drop(serverUrl: string): Promise<void>;
  client(issuer: string): Promise<ClientRecord | undefined>;
  saveClient(client: ClientRecord): Promise<void>;
  dropClient(issuer: string): Promise<void>;
  /** A login that waits for its user; one for each server. */
  attempt(serverUrl: string): Promise<LoginAttempt | undefined>;
  saveAttempt(attempt: LoginAttempt): Promise<void>;
  dropAttempt(serverUrl: string): Promise<void>;
}
