import { headerValue } from '../../capture/correlate/http-record.ts';
import { essence } from '../../protocol/diagnose.ts';
import { V3, V4 } from '../clause.ts';
import type { Detect, Detectors, Fact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { AUT } from '../rules/authorization.ts';
import {
  bodyText,
  isLoopback,
  jsonIn,
  late,
  urlOf,
  type AuthMemory,
  type Memories,
} from './memory.ts';

type End = Fact<'http-end'>;

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = /\/\.well-known\/(oauth-authorization-server|openid-configuration)/;
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
];

/** A document that was found, and what it is about. */
interface Document {
  kind: 'resource' | 'server';
  url: string;
  json: Record<string, unknown>;
}

function documentOf(memory: AuthMemory, { exchange, event }: End): Document | undefined {
  const { purpose } = exchange.record.request;
  if (purpose !== 'discovery' || exchange.head?.status !== 200) return undefined;
  if (event.end.outcome !== 'complete') return undefined;
  const url = urlOf(exchange);
  const kind = kindOf(memory, url);
  const json = jsonIn(exchange);
  return kind === undefined || json === undefined ? undefined : { kind, url, json };
}

function kindOf(memory: AuthMemory, url: string): Document['kind'] | undefined {
  if (memory.named.has(url) || url.includes(RESOURCE)) return 'resource';
  return SERVER.test(url) ? 'server' : undefined;
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** The issuer by which a document was looked for. */
function issuerFor(memory: AuthMemory, url: string): string {
  const derived = url.replace(SERVER, '').split(/[?#]/, 1)[0] ?? url;
  const bare = (issuer: string) => issuer.replace(/\/$/, '');
  return memory.issuers.find((issuer) => bare(issuer) === bare(derived)) ?? derived;
}

/** How the resource of a document goes with the URL of the server. */
function misfit(resource: string, serverUrl: string): 'slash' | 'other' | undefined {
  if (!URL.canParse(resource) || !URL.canParse(serverUrl)) return 'other';
  const [theirs, ours] = [new URL(resource), new URL(serverUrl)];
  if (theirs.origin !== ours.origin || theirs.hash !== '') return 'other';
  if (theirs.pathname === ours.pathname || theirs.pathname === '/') return undefined;
  const [path, own] = [theirs.pathname, ours.pathname].map((each) => each.replace(/\/$/, ''));
  if (path === own) return 'slash';
  return own?.startsWith(`${path}/`) === true ? undefined : 'other';
}

function isLocalHttp(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && isLoopback(new URL(url));
}

/** Metadata of resources and of authorization servers. */
export function metadataDetectors(memories: Memories): Detectors {
  /** Looks at a document of a kind. */
  function of(
    kind: Document['kind'],
    look: (document: Document, memory: AuthMemory, fact: End) => Finding | undefined,
  ): Detect<End> {
    return (fact) => {
      const memory = memories(fact.connection);
      const document = documentOf(memory, fact);
      return document?.kind === kind ? look(document, memory, fact) : undefined;
    };
  }

  const noServers = of('resource', ({ url, json }, memory, { connection }) => {
    const servers = json['authorization_servers'];
    if (stringsIn(servers).length > 0) return undefined;
    return late(
      {
        rule: AUT.noServers,
        side: 'server',
        group: url,
        message: `The metadata at ${url} names no authorization server: authorization_servers is ${shown(servers)}.`,
        advice: 'List at least one issuer in authorization_servers.',
      },
      connection,
      memory,
    );
  });

  const otherResource = of('resource', ({ url, json }, memory, { connection }) => {
    const { resource } = json;
    const serverUrl = memory.challenged === undefined ? undefined : urlOf(memory.challenged);
    if (serverUrl === undefined) return undefined;
    const fault = typeof resource === 'string' ? misfit(resource, serverUrl) : 'other';
    if (fault === undefined) return undefined;
    return late(
      {
        rule: AUT.otherResource,
        severity: fault === 'slash' ? 'info' : 'warning',
        side: 'server',
        group: url,
        message:
          typeof resource === 'string'
            ? `The metadata at ${url} is about ${resource}, but the server is ${serverUrl}.`
            : `The metadata at ${url} does not name its resource.`,
        advice:
          fault === 'slash'
            ? 'They differ by a slash; some clients refuse that.'
            : 'Clients must refuse it. `resource` has to be the URL that clients connect to.',
      },
      connection,
      memory,
    );
  });

  const offlineAccess = of('resource', ({ url, json }, memory, { connection }) => {
    if (!stringsIn(json['scopes_supported']).includes('offline_access')) return undefined;
    return late(
      {
        rule: AUT.offlineAccess,
        side: 'server',
        group: 'metadata',
        message: `The metadata at ${url} lists the scope offline_access, which is not a matter of the resource.`,
        advice: 'Clients that want refresh tokens ask for it by themselves.',
      },
      connection,
      memory,
    );
  });

  const issuer = of('server', ({ url, json }, memory, { connection }) => {
    const expected = issuerFor(memory, url);
    const given = json['issuer'];
    // Where nobody has named an issuer, an origin may be written with a slash.
    const isNamed = memory.issuers.includes(expected);
    const isSame = given === expected || (!isNamed && given === `${expected}/`);
    if (isSame || typeof given !== 'string') return undefined;
    return late(
      {
        rule: AUT.issuer,
        side: 'server',
        group: url,
        message: `The metadata of ${expected} says that its issuer is ${given}.`,
        advice: 'They have to be the same to the letter; strict clients stop here.',
      },
      connection,
      memory,
      (revision) => (revision === V3 || revision === V4 ? 'warning' : 'error'),
    );
  });

  const noS256 = of('server', ({ url, json }, memory, { connection }) => {
    const methods = json['code_challenge_methods_supported'];
    if (stringsIn(methods).includes('S256') || json['authorization_endpoint'] === undefined) {
      return undefined;
    }
    return late(
      {
        rule: AUT.noS256,
        side: 'server',
        group: url,
        message:
          methods === undefined
            ? `The metadata at ${url} has no code_challenge_methods_supported, so clients that keep to the specification stop here.`
            : `The metadata at ${url} does not list S256: code_challenge_methods_supported is ${shown(methods)}.`,
        advice: 'List S256 in code_challenge_methods_supported.',
      },
      connection,
      memory,
    );
  });

  const insecure = of('server', ({ json }, memory, { connection }) => {
    const unsafe = ENDPOINTS.filter(
      (name) => typeof json[name] === 'string' && !json[name].startsWith('https://'),
    );
    const remote = unsafe.filter((each) => !isLocalHttp(String(json[each])));
    const [name] = [...remote, ...unsafe];
    if (name === undefined) return undefined;
    const isLocal = remote.length === 0;
    return late(
      {
        rule: AUT.insecure,
        severity: isLocal ? 'info' : 'error',
        side: 'server',
        group: unsafe.map((each) => String(json[each])).join(),
        message: `The authorization server is not reached by HTTPS: ${name} is ${String(json[name])}.`,
        advice: isLocal
          ? 'On this machine that is good enough; anywhere else, clients must refuse it.'
          : 'Clients must refuse it.',
      },
      connection,
      memory,
    );
  });

  /** A place where metadata should be, with something else in it. */
  function noMetadata({ connection, exchange, event }: End): Finding | undefined {
    const { purpose } = exchange.record.request;
    const { head } = exchange;
    if (purpose !== 'discovery' || head?.status !== 200 || event.end.outcome !== 'complete') {
      return undefined;
    }
    const memory = memories(connection);
    const url = urlOf(exchange);
    const json = jsonIn(exchange);
    const type = essence(headerValue(head.headers, 'content-type'));
    const isPage = /^\s*</.test(bodyText(exchange));
    const isServer = kindOf(memory, url) === 'server';
    const lacks = ['issuer', 'token_endpoint'].filter(
      (name) => isServer && json !== undefined && typeof json[name] !== 'string',
    );
    const fault =
      json === undefined
        ? `200 and ${isPage ? 'a web page' : 'no JSON object'}`
        : lacks.length > 0
          ? `metadata without ${lacks.join(' and ')}`
          : type === 'application/json'
            ? undefined
            : `metadata of the type ${type === '' ? 'none' : type}, not application/json`;
    if (fault === undefined) return undefined;
    return late(
      {
        rule: AUT.metadata,
        side: 'server',
        group: url,
        message: `${url} is answered by ${fault}.`,
        advice:
          json === undefined
            ? 'Some clients end their search here. Answer 404 where there is no metadata.'
            : 'Some clients do not read it.',
      },
      connection,
      memory,
    );
  }

  function remember(fact: End): undefined {
    const memory = memories(fact.connection);
    const document = documentOf(memory, fact);
    if (document === undefined) return;
    const { kind, json } = document;
    if (kind === 'resource') {
      const issuers = stringsIn(json['authorization_servers']);
      if (issuers.length > 0) memory.issuers = issuers;
    } else if (typeof json['issuer'] === 'string') {
      memory.servers.push({ issuer: json['issuer'], json });
    }
  }

  return {
    end: [noServers, otherResource, offlineAccess, issuer, noS256, insecure, noMetadata, remember],
  };
}
