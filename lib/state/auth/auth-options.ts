import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { AuthSettings, HandClient, IdentityProvider } from '../../capture/auth-settings.ts';
import { authFaults, type AuthOptionName } from './auth-option-faults.ts';

/** How a token is got, or that none is. */
export type AuthWay = AuthSettings['grant'] | 'off';

/** Algorithms that private keys sign with (RFC 7518, 3.1). */
export const KEY_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'Ed25519'] as const;

/** What is typed about how the next connection is authorized. */
export interface AuthFields {
  clientId: Signal<string>;
  clientSecret: Signal<string>;
  /** Where the client is registered. */
  issuer: Signal<string>;
  privateKey: Signal<string>;
  metadataUrl: Signal<string>;
  scope: Signal<string>;
  workloadToken: Signal<string>;
  providerIssuer: Signal<string>;
  providerEndpoint: Signal<string>;
  providerClientId: Signal<string>;
  providerSecret: Signal<string>;
  idToken: Signal<string>;
}

export interface AuthOptions extends AuthFields {
  way: Signal<AuthWay>;
  algorithm: Signal<(typeof KEY_ALGORITHMS)[number]>;
  redirect: Signal<'identity' | 'loopback'>;
  applicationType: Signal<'auto' | 'web' | 'native'>;
  keepOnDisk: Signal<boolean>;
  faults: ReadonlySignal<Partial<Record<AuthOptionName, string>>>;
  /** Undefined where all is as it would be without. */
  toSettings(): AuthSettings | undefined;
}

/** Creates the options; with nothing known the user logs in where a server asks for it. */
export function createAuthOptions(known?: AuthSettings): AuthOptions {
  const { client, identityProvider: provider } = known ?? {};
  const grant = known?.grant ?? 'authorization-code';
  const way = signal<AuthWay>(known?.isOff === true ? 'off' : grant);
  const algorithm = signal(
    KEY_ALGORITHMS.find((each) => each === client?.algorithm) ?? KEY_ALGORITHMS[0],
  );
  const redirect = signal<'identity' | 'loopback'>(known?.redirect ?? 'identity');
  const applicationType = signal<'auto' | 'web' | 'native'>(known?.applicationType ?? 'auto');
  const keepOnDisk = signal(known?.keepOnDisk ?? false);
  const fields: AuthFields = {
    clientId: signal(client?.id ?? ''),
    clientSecret: signal(client?.secret ?? ''),
    issuer: signal(client?.issuer ?? ''),
    privateKey: signal(client?.privateKeyPem ?? ''),
    metadataUrl: signal(known?.clientMetadataUrl ?? ''),
    scope: signal(known?.scope ?? ''),
    workloadToken: signal(known?.workloadToken ?? ''),
    providerIssuer: signal(provider?.issuer ?? ''),
    providerEndpoint: signal(provider?.tokenEndpoint ?? ''),
    providerClientId: signal(provider?.clientId ?? ''),
    providerSecret: signal(provider?.clientSecret ?? ''),
    idToken: signal(provider?.idToken ?? ''),
  };

  /** Proofs that were not kept with a server: as long as nothing else is said of their client. */
  const notKept = [
    ...(client?.secret === '' ? (['clientSecret'] as const) : []),
    ...(client?.privateKeyPem === '' ? (['privateKey'] as const) : []),
    ...(provider?.clientSecret === '' ? (['providerSecret'] as const) : []),
  ];

  function notKeptFaults(): Partial<Record<AuthOptionName, string>> {
    const isSame = way.value === grant && typed('clientId') === (client?.id ?? '');
    const empty = isSame ? notKept.filter((name) => typed(name) === '') : [];
    return Object.fromEntries(empty.map((name) => [name, 'It was not kept: type it again.']));
  }

  function typed(name: keyof AuthFields): string {
    return fields[name].value.trim();
  }

  function toClient(): HandClient | undefined {
    const id = typed('clientId');
    if (id === '') return undefined;
    const key = typed('privateKey');
    return {
      id,
      ...optional('issuer', typed('issuer')),
      ...optional('secret', typed('clientSecret')),
      ...(key === '' ? {} : { privateKeyPem: key, algorithm: algorithm.value }),
    };
  }

  function toProvider(): IdentityProvider {
    return {
      issuer: typed('providerIssuer'),
      tokenEndpoint: typed('providerEndpoint'),
      clientId: typed('providerClientId'),
      ...optional('clientSecret', typed('providerSecret')),
      idToken: typed('idToken'),
    };
  }

  return {
    ...fields,
    way,
    algorithm,
    redirect,
    applicationType,
    keepOnDisk,
    faults: computed(() => ({ ...authFaults(way.value, typed), ...notKeptFaults() })),
    toSettings() {
      if (way.value === 'off') return { grant: 'authorization-code', isOff: true };
      const grant = way.value;
      const isCode = grant === 'authorization-code';
      const client = toClient();
      const type = applicationType.value;
      const settings: AuthSettings = {
        grant,
        ...(client === undefined ? {} : { client }),
        ...optional('scope', typed('scope').replaceAll(/\s+/g, ' ')),
        ...(isCode ? optional('clientMetadataUrl', typed('metadataUrl')) : {}),
        ...(isCode && type !== 'auto' ? { applicationType: type } : {}),
        ...(isCode && redirect.value === 'loopback' ? { redirect: 'loopback' } : {}),
        ...(keepOnDisk.value ? { keepOnDisk: true } : {}),
        ...(grant === 'enterprise-managed' ? { identityProvider: toProvider() } : {}),
        ...(grant === 'workload-identity' ? { workloadToken: typed('workloadToken') } : {}),
      };
      return isCode && Object.keys(settings).length === 1 ? undefined : settings;
    },
  };
}

function optional<Name extends string>(name: Name, value: string): Partial<Record<Name, string>> {
  // The name is a literal, which the type of a computed key forgets.
  return value === '' ? {} : ({ [name]: value } as Record<Name, string>);
}
