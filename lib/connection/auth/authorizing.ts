import type { AuthSettings } from '../../capture/auth-settings.ts';
import type { Recorder } from '../../capture/recorder.ts';
import type { Secrets } from '../../capture/secrets.ts';
import type { AuthFunctions, ConnectionSummary } from '../../port/contract.ts';
import type { Authorizer } from '../../transport/exchange/authorizer.ts';
import { httpForm } from '../../transport/websocket/socket-door.ts';
import { createAuthAsks, type AuthAsks } from './auth-asks.ts';
import { createAuthFunctions } from './auth-functions.ts';
import type { AuthHost } from './auth-host.ts';
import type { Profile } from '../profile.ts';

export interface AuthorizingOptions {
  doors: {
    hostPattern(url: string): string;
    hasPermission(hostPattern: string): Promise<boolean>;
  };
  recorder: Pick<Recorder, 'record'>;
  secrets: Pick<Secrets, 'register'>;
  host(asks: AuthAsks): AuthHost;
  /** The connections that ask, oldest first. */
  profiles: ReadonlyMap<string, Profile>;
  now(): number;
  /** What pages are told has changed. */
  changed(): void;
}

/** Authorization, as the connections of a manager and their pages use it. */
export interface Authorizing {
  /** What authorizes the requests of a connection; one that does not ask uses what there is. */
  authorizerFor(connectionId: string, profile: Profile, asks: boolean): { authorizer?: Authorizer };
  /** Before a connection of an earlier life goes on; rejects where a login that waited comes to nothing. */
  takeUp(connectionId: string, profile: Profile): Promise<void>;
  annotate(summary: ConnectionSummary): ConnectionSummary;
  /** Connections have changed: for those that are over, nobody waits. */
  changed(summaries: readonly ConnectionSummary[]): void;
  permissionAnswered(connectionId: string, granted: boolean): void;
  permissionsAdded(): Promise<void>;
  functions: AuthFunctions;
}

const LOG_IN: AuthSettings = { grant: 'authorization-code' };

/** Starts with nothing under way. */
export function createAuthorizing(options: AuthorizingOptions): Authorizing {
  const { doors, recorder, secrets, profiles, now, changed } = options;
  const asks = createAuthAsks({ ...doors, record: recorder.record, now, changed });
  const host = options.host(asks);
  const serverOf = (connectionId: string) => httpForm(profiles.get(connectionId)?.url ?? '');

  function newest(serverUrl: string): { connectionId: string; settings: AuthSettings } {
    const connectionId = [...profiles.keys()].findLast((id) => serverOf(id) === serverUrl) ?? '';
    return { connectionId, settings: profiles.get(connectionId)?.auth ?? LOG_IN };
  }

  return {
    authorizerFor(connectionId, { auth: settings = LOG_IN, url }, isAsking) {
      const authorizer = host.authorizerFor({
        connectionId,
        serverUrl: httpForm(url),
        settings,
        record: (fact) => void recorder.record(fact, connectionId),
        ...(isAsking ? { asks: true } : {}),
      });
      return { authorizer };
    },
    takeUp: (connectionId, { url }) => host.takeUp({ connectionId, serverUrl: httpForm(url) }),
    annotate: asks.annotate,
    changed(summaries) {
      const live = summaries.filter(({ state }) => state !== 'closed' && state !== 'failed');
      asks.keepOnly(new Set(live.map(({ url }) => httpForm(url))));
    },
    permissionAnswered: (connectionId, granted) =>
      asks.answer(serverOf(connectionId), ['permission'], granted),
    permissionsAdded: asks.permissionsAdded,
    functions: createAuthFunctions({
      asks,
      host,
      serverOf,
      newest,
      fingerprint: secrets.register,
      record: (fact) => void recorder.record(fact),
      now,
    }),
  };
}
