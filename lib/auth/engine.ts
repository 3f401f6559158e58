import { AppError, toProblem } from '../errors.ts';
import type { AuthReason } from '../capture/auth-fact.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Header } from '../capture/store/stored-text.ts';
import type { EventOf } from '../capture/wire-event.ts';
import type { AuthDoors } from './auth-doors.ts';
import { createChain, type Chain } from './chain.ts';
import { logIn } from './consent.ts';
import type { Credential } from './credentials.ts';
import { createDpopKey, dpopHeaders, type Proof } from './dpop.ts';
import { findAuthorizer, type Found } from './find.ts';
import { dropCredential, storeCredential } from './kept.ts';
import { logInSomehow } from './login.ts';
import { getMachineToken } from './machine-grants.ts';
import { readChallenge } from './read-challenge.ts';
import { createRefreshes, type Refreshes } from './refresh.ts';
import { revoke } from './revocation.ts';
import { covers } from './scopes.ts';

/** One authorization to go through. Plain data, so that it may come over a port. */
export interface AuthTask {
  /** A name that no other chain has. */
  chain: string;
  /** What the user connects to. */
  serverUrl: string;
  settings: AuthSettings;
  reason: AuthReason;
  /** `WWW-Authenticate`, all lines of it. */
  challenge: string[];
}

/** Whether a token is held now; where the answer `stands`, it was no case for one. */
export type AuthOutcome = 'authorized' | 'stands';

/** Everything that gets tokens. A module graph of its own behind this one interface. */
export interface AuthEngine {
  /** Goes through an authorization; the store holds its credential then. Rejects with an `AppError`. */
  authorize(task: AuthTask): Promise<AuthOutcome>;
  /** Only refreshes what is held, before it is refused; asks nobody. Rejects with an `AppError`. */
  refresh(task: Omit<AuthTask, 'reason' | 'challenge'>): Promise<AuthOutcome>;
  /**
   * Goes on with a login that an earlier life of the engine had begun, in a chain of the same name: the same
   * page is opened again. `stands` where there is none. That it was interrupted is in the log already.
   */
  goOn(serverUrl: string): Promise<AuthOutcome>;
  /** Forgets a credential, and tells the authorization server so where that can be told (RFC 7009). */
  signOut(task: Omit<AuthTask, 'reason' | 'challenge'>): Promise<void>;
  /** Headers that present a token which is bound to a key (RFC 9449, 7.1). */
  prove(proof: Proof): Promise<Header[]>;
}

/** An engine over these doors. What has to outlive it is in the store. */
export function createAuthEngine(doors: AuthDoors): AuthEngine {
  const refreshes = createRefreshes();
  /** Chains of this life. */
  const own = new Set<string>();

  /** Runs a chain from its first fact to its last. */
  async function run(
    { chain: id, serverUrl, step }: Pick<AuthTask, 'chain' | 'serverUrl'> & { step?: number },
    reason: EventOf<'auth-started'>['reason'],
    outcome: 'authorized' | 'signed-out',
    act: (chain: Chain) => Promise<void>,
  ): Promise<'authorized'> {
    const chain = createChain(doors, id, serverUrl, step);
    own.add(id);
    doors.record(id, { kind: 'auth-started', chain: id, reason, url: { text: serverUrl } });
    try {
      await act(chain);
      doors.record(id, { kind: 'auth-ended', chain: id, outcome });
      return 'authorized';
    } catch (error) {
      const problem = toProblem(error);
      doors.record(id, { kind: 'auth-ended', chain: id, outcome: 'failed', problem });
      throw error instanceof AppError ? error : new AppError(problem, { cause: error });
    }
  }

  /** A login that an earlier life has begun, and with which nobody has gone on, is over now. */
  async function endInterrupted(serverUrl: string): Promise<void> {
    const left = await doors.store.attempt(serverUrl);
    if (left === undefined || own.has(left.chain)) return;
    const { chain, step } = left;
    await doors.store.dropAttempt(serverUrl);
    doors.record(chain, { kind: 'auth-consent', chain, step, state: 'interrupted' });
    const message = 'The login was interrupted when the browser stopped the extension.';
    const problem = { code: 'auth-closed', message } as const;
    doors.record(chain, { kind: 'auth-ended', chain, outcome: 'failed', problem });
  }

  return {
    async authorize(task) {
      const challenge = readChallenge(task.challenge);
      // Only the parameter itself counts, not the word in a description.
      const isError = challenge.error?.toLowerCase() === 'insufficient_scope';
      if (task.reason === 'step-up' && !isError) return 'stands';
      await endInterrupted(task.serverUrl);
      return run(task, task.reason, 'authorized', async (chain) => {
        const found = await findAuthorizer(chain, task, challenge);
        await storeCredential(chain, await getCredential(found, refreshes), task.settings);
      });
    },
    refresh: (task) =>
      run(task, 'refresh', 'authorized', async (chain) => {
        const held = await doors.store.find(task.serverUrl);
        if (held?.refreshToken === undefined) return;
        const fresh = await refreshes.refresh(chain, held, task.settings);
        await storeCredential(chain, fresh, task.settings);
      }),
    async goOn(serverUrl) {
      const attempt = await doors.store.attempt(serverUrl);
      if (attempt === undefined) return 'stands';
      return run(attempt, 'authorization', 'authorized', async (chain) =>
        storeCredential(chain, await logIn(chain, attempt), attempt.settings),
      );
    },
    async signOut(task) {
      await run(task, 'sign-out', 'signed-out', async (chain) => {
        const held = await doors.store.find(task.serverUrl);
        if (held === undefined) return;
        await revoke(chain, held, task.settings);
        await dropCredential(chain, held, 'signed out');
      });
    },
    prove: (proof) => dpopHeaders(proof, doors.now()),
  };
}

async function getCredential(found: Found, refreshes: Refreshes): Promise<Credential> {
  const { chain, task, server, resource, held, scopes } = found;
  const { settings, reason } = task;
  checkStepUp(found);
  if (settings.grant !== 'authorization-code') {
    const dpopKey = found.wantsDpop ? await createDpopKey() : undefined;
    const key = dpopKey === undefined ? {} : { dpopKey };
    return getMachineToken({ chain, server, settings, resource, scopes, ...key });
  }
  const canRefresh = held?.refreshToken !== undefined && held.resource === resource;
  // A refresh cannot widen scopes.
  const isWide = held !== undefined && covers(held.requestedScopes, scopes);
  if (canRefresh && isWide && reason === 'authorization') {
    const refreshed = await refreshes.tryRefresh(chain, { ...held, server }, settings);
    if (refreshed !== undefined) return refreshed;
  }
  return logInSomehow(found);
}

/** What was asked for already, and is not enough, would not be enough the next time. */
function checkStepUp({ task, held, scopes, challenged }: Found): void {
  if (task.reason !== 'step-up' || held === undefined) return;
  if (!covers(held.requestedScopes, scopes)) return;
  const which = challenged.length === 0 ? 'it does not name' : `was asked for already`;
  throw new AppError({
    code: 'auth-scope',
    message: `The server wants a scope that ${which}${challenged.length === 0 ? '' : `: ${challenged.join(' ')}`}.`,
    advice:
      'Asking again would change nothing. The server should name the scopes that are missing in its challenge (`scope`), and the authorization server has to grant them.',
    answer: { status: 403 },
  });
}
