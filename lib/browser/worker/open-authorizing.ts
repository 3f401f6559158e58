import { createCredentials } from '../../auth/credentials.ts';
import { createAuthEngine } from '../../auth/engine.ts';
import type { Recorder } from '../../capture/recorder.ts';
import type { Secrets } from '../../capture/secrets.ts';
import { createAuthHost, type AuthHostOptions } from '../../connection/auth/auth-host.ts';
import {
  createAuthorizing,
  type Authorizing,
  type AuthorizingOptions,
} from '../../connection/auth/authorizing.ts';
import type { HttpDoor } from '../../transport/exchange/http-door.ts';
import type { Slots } from '../../transport/exchange/slots.ts';
import { credentialStore } from './credential-store.ts';
import { createLoginDoor } from './login-door.ts';

/** What the worker lends. */
export interface AuthorizingParts
  extends
    Omit<AuthorizingOptions, 'host' | 'recorder' | 'secrets'>,
    Pick<AuthHostOptions, 'openExchange' | 'timeLimit'> {
  http: HttpDoor;
  recorder: Recorder;
  secrets: Secrets;
  slots: Slots;
  newId(): string;
}

/** Authorization with the credentials of this browser profile. */
export async function openAuthorizing(parts: AuthorizingParts): Promise<Authorizing> {
  const { http: door, recorder, secrets, slots, newId, now } = parts;
  const held = await credentialStore.load();
  // After a restart of the browser nobody knows yet what is a secret.
  for (const { accessToken, refreshToken } of held?.credentials ?? []) {
    secrets.register(accessToken);
    if (refreshToken !== undefined) secrets.register(refreshToken);
  }
  const keepSecret = (value: string) => void secrets.register(value);
  return createAuthorizing({
    ...parts,
    host: (asks) =>
      createAuthHost({
        ...parts,
        exchanges: { door, recorder, slots, newHttpId: newId, keepSecret },
        credentials: createCredentials(held, credentialStore.save),
        asks,
        people: asks.people(createLoginDoor()),
        engine: createAuthEngine,
        newId,
        now,
      }),
  });
}
