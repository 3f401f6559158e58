import { AppError } from '../errors.ts';
import type { AuthFunctions } from '../port/contract.ts';

function refuse(): Promise<never> {
  return Promise.reject(
    new AppError({
      code: 'not-connected',
      message: 'No authorization is under way for this server, and no token is held.',
    }),
  );
}

/** What there is to say as long as nothing gets tokens. */
export const noAuthorization: AuthFunctions = {
  authAnswer: refuse,
  authGoOn: refuse,
  authStop: refuse,
  credentials: () => Promise.resolve([]),
  signOut: refuse,
  forgetCredential: refuse,
  expireCredential: refuse,
  corruptCredential: refuse,
  forgetClient: refuse,
  redirectUris: refuse,
  clientMetadata: refuse,
};
