import type { AuthDoors } from '../../lib/auth/auth-doors.ts';
import { createCredentials, type Credentials } from '../../lib/auth/credentials.ts';
import { createAuthEngine } from '../../lib/auth/engine.ts';
import type { Recorder } from '../../lib/capture/recorder.ts';
import type { Secrets } from '../../lib/capture/secrets.ts';
import type { AuthAsks, LoginDoor } from '../../lib/connection/auth/auth-asks.ts';
import { createAuthHost, type AuthHost } from '../../lib/connection/auth/auth-host.ts';
import { timeLimit } from '../../lib/connection/time-limit.ts';
import { openExchange } from '../../lib/transport/exchange/open-exchange.ts';
import type { HttpDoor } from '../../lib/transport/exchange/http-door.ts';

/** The people and places around an authorization, as a test wants them. */
export interface TestAuth extends Partial<AuthHostPeople> {
  credentials?: Credentials;
  /** Asks as the extension does, and waits for answers; otherwise the user agrees to everything. */
  login?: LoginDoor;
  exchangeMs?: number;
}

type AuthHostPeople = Pick<AuthDoors, 'consent' | 'redirectUri' | 'permission' | 'decide'>;

/** Never listened on: whoever plays the browser reads the redirect itself. */
export const REDIRECT_URI = 'http://localhost:3000/callback';

/** The engine loaded directly, with a user who agrees to everything. */
export function createTestAuthorization(
  auth: TestAuth,
  parts: { recorder: Recorder; secrets: Secrets; door: HttpDoor; newId(): string },
  asks: AuthAsks,
): AuthHost {
  const { recorder, secrets, door, newId } = parts;
  return createAuthHost({
    exchanges: {
      door,
      recorder,
      keepSecret: (value) => void secrets.register(value),
      newHttpId: newId,
    },
    openExchange,
    timeLimit,
    credentials: auth.credentials ?? createCredentials(),
    asks,
    people:
      auth.login === undefined
        ? {
            consent: auth.consent ?? ((_chain, url) => followToRedirect(url)),
            redirectUri: auth.redirectUri ?? (() => Promise.resolve(REDIRECT_URI)),
            permission: auth.permission ?? (() => Promise.resolve(true)),
            decide: auth.decide ?? (() => Promise.resolve(true)),
          }
        : asks.people(auth.login),
    engine: createAuthEngine,
    newId,
    now: Date.now,
    ...(auth.exchangeMs === undefined ? {} : { exchangeMs: auth.exchangeMs }),
  });
}

/** In place of a browser, for pages that redirect at once: resolves with where they redirect to. */
export async function followToRedirect(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  await response.body?.cancel();
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${url} answered ${response.status} without a redirect`);
  return new URL(location, url).href;
}
