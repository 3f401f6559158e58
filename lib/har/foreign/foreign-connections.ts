import { headerValue } from '../../capture/correlate/http-record.ts';
import type { TransportKind } from '../../capture/store/stored-profile.ts';
import type { RequestLinks, WireFact } from '../../capture/wire-event.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { eraOf } from '../../protocol/revisions.ts';
import type { ForeignEntry } from './foreign-entry.ts';
import { looseObject, looseText } from '../loose-json.ts';
import { messagesIn, type ForeignText, type Meaning } from './foreign-mcp.ts';

/** Where an entry belongs, and what its connection tells before and after it. */
export interface Place {
  connectionId: string | undefined;
  links: RequestLinks;
  facts: { before: WireFact[]; after: ToldFact[] };
}

/** A fact, and when it was plain, where the file says so; else with the end of the entry. */
export interface ToldFact {
  fact: WireFact;
  atMs?: number;
}

export interface Connections {
  /** Takes the entries in order of time. */
  place(entry: ForeignEntry, id: string, meaning: Meaning, texts: readonly ForeignText[]): Place;
}

interface Known {
  connectionId: string;
  /** Where its messages go, without query and fragment; for HTTP+SSE also the announced endpoint. */
  urls: Set<string>;
  session?: string;
  isChosen: boolean;
  transport: TransportKind;
  /** The exchange that was refused for want of authorization, until it is repeated. */
  refused?: Refusal;
}

interface Refusal {
  httpId: string;
  url: string;
  chain: string;
  step: number;
  /** Something was done about it. */
  isBegun?: true;
}

const DEFAULTS = {
  headers: [],
  originPolicy: { kind: 'none' },
  messageLimitBytes: 16 * 1024 * 1024,
  reconnection: { initialDelayMs: 1000, maxDelayMs: 30_000, factor: 1.5, retries: 2 },
} as const;

/** Finds the MCP connections in a file: by session, by announced endpoint, else by URL. */
export function createConnections(): Connections {
  const known: Known[] = [];

  function find(entry: ForeignEntry, { session, sent }: Meaning): Known | undefined {
    const url = bareUrl(entry.url);
    const here = known.filter(({ urls }) => urls.has(entry.url) || urls.has(url));
    const bySession = here.findLast((each) => session !== undefined && each.session === session);
    if (bySession !== undefined) return bySession;
    const begins = sent.some((message) => 'method' in message && message.method === 'initialize');
    const last = here.at(-1);
    // A second `initialize` is another connection, unless the first was refused.
    if (begins && last?.isChosen === true && last.transport === 'streamable-http') return undefined;
    return session !== undefined && last?.session !== undefined ? undefined : last;
  }

  function open(entry: ForeignEntry, meaning: Meaning): { place: Known; fact: WireFact } {
    const transport: TransportKind =
      entry.frames !== undefined
        ? 'websocket'
        : meaning.endpoint === undefined
          ? 'streamable-http'
          : 'http-sse';
    const urls = new Set([bareUrl(entry.url)]);
    if (meaning.endpoint !== undefined) urls.add(meaning.endpoint);
    const place: Known = {
      connectionId: `imported-${known.length + 1}`,
      urls,
      isChosen: false,
      transport,
    };
    known.push(place);
    const profile = {
      ...DEFAULTS,
      headers: [],
      url: { text: entry.url },
      transport,
    };
    return { place, fact: { kind: 'connection-opened', profile } };
  }

  return {
    place(entry, id, meaning, texts) {
      const facts: Place['facts'] = { before: [], after: [] };
      if (!meaning.isMcp) return { ...placeInChain(known, meaning, facts), facts };
      let place = find(entry, meaning);
      if (place === undefined) {
        const opened = open(entry, meaning);
        place = opened.place;
        facts.before.push(opened.fact);
      }
      const { session } = meaning;
      if (session !== undefined) place.session = session;
      if (!place.isChosen) facts.after.push(...choose(place, entry, meaning, id, texts));
      return { connectionId: place.connectionId, links: linksOf(place, entry, id, facts), facts };
    },
  };
}

/** Discovery, registration and tokens belong to the exchange that was refused last, and begin its authorization. */
function placeInChain(
  known: readonly Known[],
  { purpose }: Meaning,
  { before }: Place['facts'],
): Pick<Place, 'connectionId' | 'links'> {
  const isAuth = purpose === 'discovery' || purpose === 'registration' || purpose === 'token';
  const asking = isAuth ? known.findLast(({ refused }) => refused !== undefined) : undefined;
  if (asking?.refused === undefined) return { connectionId: undefined, links: {} };
  const { refused, connectionId } = asking;
  const { httpId, chain, url } = refused;
  if (refused.isBegun !== true) {
    refused.isBegun = true;
    before.push(
      { kind: 'auth-challenged', httpId, chain, reason: 'authorization' },
      { kind: 'auth-started', chain, reason: 'authorization', url: { text: url } },
    );
  }
  refused.step += 1;
  const links: RequestLinks = { causedBy: httpId, authChain: chain, authStep: refused.step };
  return { connectionId, links };
}

function linksOf(
  place: Known,
  entry: ForeignEntry,
  httpId: string,
  facts: Place['facts'],
): RequestLinks {
  const lastEventId = headerValue(entry.requestHeaders, 'last-event-id');
  const links: RequestLinks = lastEventId === undefined ? {} : { lastEventId };
  const { refused } = place;
  if (entry.status === 401) {
    place.refused = { httpId, url: entry.url, chain: `chain of ${httpId}`, step: 1 };
    return { ...links, authChain: place.refused.chain, authStep: 1 };
  }
  if (refused === undefined || refused.url !== entry.url) return links;
  delete place.refused;
  if (refused.isBegun === true) {
    const { chain } = refused;
    facts.before.push({ kind: 'auth-resolved', httpId: refused.httpId, chain, outcome: 'repeat' });
    const outcome = entry.status > 0 && entry.status < 400 ? 'authorized' : 'failed';
    facts.after.push({ fact: { kind: 'auth-ended', chain, outcome } });
  }
  return {
    ...links,
    retryOf: refused.httpId,
    attempt: 2,
    reason: 'authorization',
    authChain: refused.chain,
    authStep: refused.step + 1,
  };
}

/** Once the server has answered `initialize` or `server/discover`, it is known what was spoken. */
function choose(
  place: Known,
  entry: ForeignEntry,
  { sent }: Meaning,
  id: string,
  texts: readonly ForeignText[],
): ToldFact[] {
  if (entry.status >= 400) return [];
  for (const { data, atMs } of texts) {
    for (const message of messagesIn(classifyPayload(data))) {
      const result = message.kind === 'result' ? looseObject(message.result) : {};
      const revision = looseText(result['protocolVersion']);
      if (revision === undefined) continue;
      const server = looseObject(result['serverInfo']);
      const name = looseText(server['name']);
      const version = looseText(server['version']);
      const named = {
        ...(name === undefined ? {} : { serverName: name }),
        ...(version === undefined ? {} : { serverVersion: version }),
      };
      return [chosen(place, revision, id, named, atMs)];
    }
  }
  // Of the modern era every request says which revision it speaks.
  const asked = headerValue(entry.requestHeaders, 'mcp-protocol-version');
  const isSpoken = sent.length > 0 && asked !== undefined && eraOf(asked) === 'modern';
  return isSpoken ? [chosen(place, asked, id, {}, undefined)] : [];
}

function chosen(
  place: Known,
  revision: string,
  id: string,
  server: { serverName?: string; serverVersion?: string },
  atMs: number | undefined,
): ToldFact {
  place.isChosen = true;
  const { transport } = place;
  const era = eraOf(revision) ?? 'legacy';
  const evidence = [id];
  return {
    fact: { kind: 'connection-chosen', transport, era, revision, ...server, evidence },
    ...(atMs === undefined ? {} : { atMs }),
  };
}

function bareUrl(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
