import { V5 } from '../clause.ts';
import type { Detectors, Fact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { AUT } from '../rules/authorization.ts';
import { SEC } from '../rules/security.ts';
import { type ExchangeState } from '../state.ts';
import { isRecord } from '../../record.ts';
import {
  bodyText,
  isAuthorized,
  isForServer,
  isTelling,
  jsonIn,
  late,
  serverAt,
  urlOf,
  type Memories,
} from './memory.ts';

type Request = Fact<'http-request'>;
type End = Fact<'http-end'>;

const utf8 = new TextDecoder();

function requestJson({ record }: ExchangeState): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(utf8.decode(record.request.body?.bytes));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** What is odd about an answer that should hold a token. */
function tokenFaults(status: number, text: string, json: Record<string, unknown> | undefined) {
  if (json === undefined) {
    return [/^\s*</.test(text) ? 'it is a web page' : 'it is not a JSON object'];
  }
  if (typeof json['error'] === 'string') {
    return [`it is the error ${json['error']} with status ${status}, not with 400`];
  }
  const faults: string[] = [];
  if (status !== 200) faults.push(`its status is ${status}, not 200`);
  if (typeof json['access_token'] !== 'string') faults.push('it has no access_token');
  const { token_type: type, expires_in: lifetime } = json;
  if (typeof type !== 'string') faults.push(`its token_type is ${shown(type)}`);
  const isLifetime = typeof lifetime === 'number' && lifetime > 0;
  if (lifetime !== undefined && !isLifetime) faults.push(`its expires_in is ${shown(lifetime)}`);
  return faults;
}

/** What is odd about an answer that should hold a client. */
function clientFaults(status: number, json: Record<string, unknown> | undefined) {
  if (json === undefined) return ['it is not a JSON object'];
  const faults: string[] = [];
  if (status !== 201) faults.push(`its status is ${status}, not 201`);
  if (typeof json['client_id'] !== 'string') faults.push('it has no client_id');
  if (!Array.isArray(json['redirect_uris'])) faults.push('it has no redirect_uris');
  const hasSecret = json['client_secret'] !== undefined;
  if (hasSecret && typeof json['client_secret_expires_at'] !== 'number') {
    faults.push('it has a client_secret, but no client_secret_expires_at');
  }
  const method = json['token_endpoint_auth_method'];
  if (!hasSecret && typeof method === 'string' && method.startsWith('client_secret_')) {
    faults.push(`it has the method ${method}, but no client_secret`);
  }
  for (const name of ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri', 'jwks_uri']) {
    const value = json[name];
    if (value === undefined || (typeof value === 'string' && URL.canParse(value))) continue;
    faults.push(`its ${name} is ${shown(value)}`);
  }
  return faults;
}

/** Registrations, tokens, and how a token is presented. */
export function grantDetectors(memories: Memories): Detectors {
  function applicationType({ connection, exchange }: Request): Finding | undefined {
    if (exchange.record.request.purpose !== 'registration') return undefined;
    if (requestJson(exchange)['application_type'] !== undefined) return undefined;
    return late(
      {
        rule: AUT.applicationType,
        side: 'client',
        group: 'type',
        message:
          'The registration does not say whether the client is a native or a web application.',
        advice: 'Send application_type: by it, servers judge the redirect URIs.',
      },
      connection,
      memories(connection),
    );
  }

  function deprecated({ connection, exchange }: Request): Finding | undefined {
    if (exchange.record.request.purpose !== 'registration') return undefined;
    return late(
      {
        rule: SEC.deprecated,
        side: 'client',
        group: 'registration',
        message: 'The client registers dynamically, which 2026-07-28 deprecates.',
        advice: 'Client ID metadata documents take its place.',
      },
      connection,
      memories(connection),
      (revision) => (revision === V5 ? 'info' : undefined),
    );
  }

  function inQuery({ connection, exchange }: Request): Finding | undefined {
    if (!isForServer(exchange) || !/[?&]access_token=/.test(urlOf(exchange))) return undefined;
    return late(
      {
        rule: AUT.presented,
        side: 'client',
        group: 'query',
        message: `The ${exchange.record.request.method} carries its token in the URL, where logs and proxies see it.`,
        advice: 'Send it as Authorization: Bearer.',
      },
      connection,
      memories(connection),
    );
  }

  function noToken({ connection, exchange }: Request): Finding | undefined {
    const memory = memories(connection);
    if (!memory.hasToken || !isForServer(exchange) || isAuthorized(exchange)) return undefined;
    const { method, links } = exchange.record.request;
    // A replay sends what was recorded.
    if (links.replayOf !== undefined) return undefined;
    return late(
      {
        rule: AUT.presented,
        side: 'client',
        group: `none ${method}`,
        message: `A ${method} came without a token, although the connection is authorized.`,
        advice: 'The token goes with every request.',
      },
      connection,
      memory,
    );
  }

  function odd(purpose: 'token' | 'registration') {
    return ({ connection, exchange, event }: End): Finding | undefined => {
      const { head, record } = exchange;
      if (record.request.purpose !== purpose || event.end.outcome !== 'complete') return undefined;
      if (head === undefined || head.status < 200 || head.status > 299) return undefined;
      const json = jsonIn(exchange);
      const faults =
        purpose === 'token'
          ? tokenFaults(head.status, bodyText(exchange), json)
          : clientFaults(head.status, json);
      if (faults.length === 0) return undefined;
      const what = purpose === 'token' ? 'the token endpoint' : 'the registration endpoint';
      return late(
        {
          rule: purpose === 'token' ? AUT.token : AUT.registration,
          side: 'server',
          group: faults.join(),
          message: `The answer of ${what} is odd: ${faults.join('; ')}.`,
          advice: 'Some clients refuse it, or read it in another way.',
        },
        connection,
        memories(connection),
      );
    };
  }

  function remember({ connection, exchange }: End): undefined {
    const { purpose } = exchange.record.request;
    if (purpose !== 'registration' && purpose !== 'token') return;
    const memory = memories(connection);
    const issuer = serverAt(memory, urlOf(exchange))?.issuer;
    if (issuer === undefined) return;
    const id = purpose === 'registration' ? jsonIn(exchange)?.['client_id'] : undefined;
    if (typeof id === 'string') memory.clients.set(id, issuer);
    for (const { data } of exchange.record.chunks) {
      for (const { secret } of data.cuts ?? []) {
        if (isTelling(secret)) memory.credentials.set(secret, issuer);
      }
    }
  }

  return {
    request: [applicationType, deprecated, inQuery, noToken],
    end: [odd('token'), odd('registration'), remember],
  };
}
