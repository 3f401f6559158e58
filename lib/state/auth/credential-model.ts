import { batch, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Problem } from '../../errors.ts';
import type { AuthFunctions, HeldCredential, RegisteredClient } from '../../port/contract.ts';
import { readProblem } from '../captures/read-problem.ts';

/** What the screen of credentials works with. */
export interface CredentialDesk {
  isOpen: Signal<boolean>;
  background: AuthFunctions;
}

/** Tokens and clients that are held, and what can be done with them. */
export interface CredentialModel {
  /** Undefined until they were read. */
  credentials: ReadonlySignal<readonly HeldCredential[] | undefined>;
  clients: ReadonlySignal<readonly RegisteredClient[]>;
  problem: ReadonlySignal<Problem | undefined>;
  /** What the last action has done, in words. */
  said: ReadonlySignal<string>;
  /** An action is under way. */
  isBusy: ReadonlySignal<boolean>;
  refresh(): Promise<void>;
  signOut(credential: HeldCredential): Promise<void>;
  forget(credential: HeldCredential): Promise<void>;
  expire(credential: HeldCredential): Promise<void>;
  corrupt(credential: HeldCredential): Promise<void>;
  forgetClient(client: RegisteredClient): Promise<void>;
}

/** Creates the list; every failure of its calls ends in `problem`. */
export function createCredentialModel(background: AuthFunctions): CredentialModel {
  const credentials = signal<readonly HeldCredential[] | undefined>(undefined);
  const clients = signal<readonly RegisteredClient[]>([]);
  const problem = signal<Problem | undefined>(undefined);
  const said = signal('');
  const isBusy = signal(false);
  let reading = 0;

  async function refresh(): Promise<void> {
    reading += 1;
    const own = reading;
    try {
      const [held, registered] = await Promise.all([
        background.credentials(),
        background.clients(),
      ]);
      // What was asked later is newer.
      if (own !== reading) return;
      batch(() => {
        credentials.value = held.toSorted((one, other) => other.obtainedAt - one.obtainedAt);
        clients.value = registered;
      });
    } catch (error) {
      problem.value = readProblem(error);
    }
  }

  async function act(work: () => Promise<void>, words: string): Promise<void> {
    batch(() => {
      problem.value = undefined;
      said.value = '';
      isBusy.value = true;
    });
    try {
      await work();
      said.value = words;
    } catch (error) {
      problem.value = readProblem(error);
    }
    await refresh();
    isBusy.value = false;
  }

  return {
    credentials,
    clients,
    problem,
    said,
    isBusy,
    refresh,
    signOut: ({ serverUrl }) =>
      act(
        () => background.signOut(serverUrl),
        `Signed out of ${serverUrl}. The steps are in the traffic.`,
      ),
    forget: ({ serverUrl }) =>
      act(
        () => background.forgetCredential(serverUrl),
        `The token for ${serverUrl} is forgotten here. The server still takes it until it expires.`,
      ),
    expire: ({ serverUrl, hasRefreshToken }) =>
      act(
        () => background.expireCredential(serverUrl),
        hasRefreshToken
          ? `The token for ${serverUrl} counts as expired: the next request refreshes it first.`
          : `The token for ${serverUrl} counts as expired. Without a refresh token it is still sent.`,
      ),
    corrupt: ({ serverUrl }) =>
      act(
        () => background.corruptCredential(serverUrl),
        `The token for ${serverUrl} is broken: the next request should be answered 401.`,
      ),
    forgetClient: ({ issuer }) =>
      act(
        () => background.forgetClient(issuer),
        `The registration with ${issuer} is forgotten here: the next login registers anew.`,
      ),
  };
}
