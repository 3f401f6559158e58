import { AppError, toProblem } from '../../errors.ts';
import type { AuthFunctions } from '../../port/contract.ts';
import type { Authorizer } from '../../transport/exchange/authorizer.ts';
import type { Authorizing } from './authorizing.ts';
import type { Profile } from '../profile.ts';

/** Authorization that is loaded when it is needed for the first time; `load` is called until it has resolved once. */
export function createLateAuthorizing(
  load: (profiles: ReadonlyMap<string, Profile>) => Promise<Authorizing>,
): Authorizing & { ready(): Promise<unknown> } {
  const profiles = new Map<string, Profile>();
  let loaded: Authorizing | undefined;
  let loading: Promise<Authorizing> | undefined;

  function ready(): Promise<Authorizing> {
    loading ??= load(profiles).then(
      (found) => (loaded = found),
      (error: unknown) => {
        loading = undefined;
        throw new AppError(toProblem(error), { cause: error });
      },
    );
    return loading;
  }

  function call<Name extends keyof AuthFunctions>(name: Name): AuthFunctions[Name] {
    return (async (...given: unknown[]) =>
      Reflect.apply((await ready()).functions[name], undefined, given)) as AuthFunctions[Name];
  }

  return {
    ready,
    authorizerFor(connectionId, profile, isAsking) {
      if (profile.auth?.isOff === true) return {};
      if (isAsking) profiles.set(connectionId, profile);
      let own: Authorizer | undefined;
      const real = async () => {
        own ??= (await ready()).authorizerFor(connectionId, profile, isAsking).authorizer;
        return own;
      };
      return {
        authorizer: {
          // As long as nothing is loaded, nothing is held.
          headers: (call) =>
            own === undefined && loaded !== undefined
              ? real().then((found) => found?.headers(call) ?? [])
              : (own?.headers(call) ?? []),
          async challenged(answer) {
            try {
              return isAsking ? await (await real())?.challenged(answer) : undefined;
            } catch (error) {
              // Errors of a script that is loaded apart are of a class of its own.
              throw new AppError(toProblem(error), { cause: error });
            }
          },
          heard: (url, head) => own?.heard?.(url, head),
        },
      };
    },
    takeUp: async (...connection) => loaded?.takeUp(...connection),
    annotate: (summary) => loaded?.annotate(summary) ?? summary,
    changed: (summaries) => loaded?.changed(summaries),
    permissionAnswered: (...answer) => loaded?.permissionAnswered(...answer),
    permissionsAdded: async () => loaded?.permissionsAdded(),
    functions: {
      authAnswer: call('authAnswer'),
      authGoOn: call('authGoOn'),
      authStop: call('authStop'),
      credentials: call('credentials'),
      clients: call('clients'),
      signOut: call('signOut'),
      forgetCredential: call('forgetCredential'),
      expireCredential: call('expireCredential'),
      corruptCredential: call('corruptCredential'),
      forgetClient: call('forgetClient'),
      redirectUris: call('redirectUris'),
      clientMetadata: call('clientMetadata'),
    },
  };
}
