import { AppError } from '../errors.ts';
import { isSecretParam } from '../capture/secret-params.ts';
import type { Secrets } from '../capture/secrets.ts';
import type { StoredProfile } from '../capture/store/stored-profile.ts';
import type { TransportChoice } from '../capture/store/stored-profile.ts';
import type { ConnectRequest } from '../port/contract.ts';

/** A checked request to connect. */
export interface Profile extends ConnectRequest {
  /** Absolute http, https, ws or wss URL without fragment; its scheme fits the transport. */
  url: string;
}

const LOOPBACK = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/i;

/**
 * Checks what the user gave. Throws an `AppError` (`url-invalid`, `url-unsupported`, `header-invalid`) that
 * says what is wrong with it.
 */
export function checkProfile(request: ConnectRequest): Profile {
  const url = checkUrl(request.url.trim(), request.transport);
  for (const { name, value } of request.headers) checkHeader(name, value);
  return { ...request, url, transport: /^wss?:/.test(url) ? 'websocket' : request.transport };
}

function checkUrl(typed: string, transport: TransportChoice): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  // A bare host is what people paste; a server on this machine rarely speaks TLS, any other should.
  const text = hasScheme ? typed : `${LOOPBACK.test(typed) ? 'http' : 'https'}://${typed}`;
  // Chromium takes a host with spaces and escapes them, where the standard has a failure.
  const isUrl = URL.canParse(text) && !new URL(text).hostname.includes('%');
  if (typed === '' || !isUrl) {
    throw new AppError({
      code: 'url-invalid',
      message: typed === '' ? 'There is no URL to connect to.' : `“${typed}” is not a URL.`,
      advice: 'Type the MCP endpoint in full, for example http://localhost:3001/mcp.',
    });
  }
  const url = new URL(text);
  if (!/^(https?|wss?):$/.test(url.protocol)) {
    throw new AppError({
      code: 'url-unsupported',
      message: `Wirescope cannot connect to ${url.protocol}//.`,
      advice:
        'Use the http:// or https:// URL of an MCP endpoint, or ws:// or wss:// for a WebSocket.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError({
      code: 'url-unsupported',
      message: 'The URL holds a user name or password, which browsers refuse to send.',
      advice: 'Take them out of the URL and add an Authorization header under Headers.',
    });
  }
  url.hash = '';
  return transport === 'websocket' ? url.href.replace(/^http/, 'ws') : url.href;
}

function checkHeader(name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    throw new AppError({
      code: 'header-invalid',
      message: `The header “${name}” cannot be sent: HTTP does not allow its name or a character of its value.`,
      advice:
        'Names are letters, digits and hyphens. Values must not contain line breaks or other control characters.',
    });
  }
}

/** A profile as the log keeps it. The recorder cuts the values of secret headers out. */
export function storedProfile(profile: Profile): StoredProfile {
  return {
    url: { text: profile.url },
    transport: profile.transport,
    headers: profile.headers.map(({ name, value }) => ({ name, value })),
    originPolicy: profile.originPolicy,
    ...(profile.cookies === undefined ? {} : { cookies: profile.cookies }),
    messageLimitBytes: profile.messageLimitBytes,
    reconnection: profile.reconnection,
    ...(profile.offerRevision === undefined ? {} : { offerRevision: profile.offerRevision }),
  };
}

/** What the user calls a secret is one before anything is recorded. */
export function keepSecrets(
  { url, headers, auth }: Profile,
  { markHeader, register }: Pick<Secrets, 'markHeader' | 'register'>,
): void {
  for (const header of headers) if (header.secret) markHeader(header.name);
  const { client, identityProvider, workloadToken } = auth ?? {};
  const given = [
    ...secretParams(url),
    client?.secret,
    client?.privateKeyPem,
    identityProvider?.clientSecret,
    identityProvider?.idToken,
    workloadToken,
  ];
  for (const value of given) if (value !== undefined && value !== '') register(value);
}

/** Values in the query of a URL that its names give away as secrets. */
function secretParams(url: string): string[] {
  const params = [...new URL(url).searchParams];
  return params
    .filter(([name, value]) => isSecretParam(name) && value !== '')
    .map(([, value]) => value);
}

/** The URL as it may be kept on disk: secrets in its query are left out, for the user to add again. */
export function withoutSecretParams(url: string): string {
  const kept = new URL(url);
  for (const name of [...kept.searchParams.keys()]) {
    if (isSecretParam(name)) kept.searchParams.set(name, '');
  }
  return kept.href;
}
