import { isRecord } from '../../record.ts';
import { V5 } from '../clause.ts';
import type { Detectors, Fact, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { META, metaOf } from '../claims.ts';
import { shown } from '../payload.ts';
import { SEC } from '../rules/security.ts';
import type { Carrier } from '../state.ts';
import { askedBy } from './memory.ts';

const SAFE = /^(https:\/\/|data:)/i;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;
const LISTS = ['tools', 'resources', 'resourceTemplates', 'prompts'];

/** The URL that messages of a carrier go to; undefined for a WebSocket. */
function urlOf({ record }: Carrier): URL | undefined {
  const text = record?.request.url.text ?? '';
  return URL.canParse(text) ? new URL(text) : undefined;
}

function iconsIn(holder: unknown): string[] {
  const icons = isRecord(holder) ? holder['icons'] : undefined;
  if (!Array.isArray(icons)) return [];
  return icons.filter(isRecord).flatMap(({ src }) => (typeof src === 'string' ? [src] : []));
}

/** Everything in a result that may have icons. */
function holdersIn(result: Record<string, unknown>): unknown[] {
  const lists = LISTS.flatMap((name) => {
    const list = result[name];
    return Array.isArray(list) ? list : [];
  });
  return [result['serverInfo'], metaOf(result)[`${META}serverInfo`], ...lists];
}

function icons({ direction, shape, members, exchange }: MessageFact): Finding | undefined {
  const result = members?.['result'];
  if (direction === 'outgoing' || shape !== 'response' || !isRecord(result)) return undefined;
  const all = holdersIn(result).flatMap(iconsIn);
  const unsafe = all.find((src) => !SAFE.test(src));
  if (unsafe !== undefined) {
    return {
      rule: SEC.icon,
      severity: 'error',
      side: 'server',
      group: 'scheme',
      message: `The icon ${shown(unsafe)} is neither HTTPS nor a data: URL; clients must refuse it.`,
    };
  }
  const own = urlOf(exchange)?.origin;
  const foreign = all.find(
    (src) => URL.canParse(src) && new URL(src).protocol === 'https:' && new URL(src).origin !== own,
  );
  if (foreign === undefined || own === undefined) return undefined;
  return {
    rule: SEC.icon,
    side: 'server',
    group: 'origin',
    message: `The icon ${shown(foreign)} is of another origin than the server, which learns who looks at it.`,
    advice: 'Serve icons from the origin of the server, or as data: URLs.',
  };
}

function cleartext({ exchange }: Fact<'http-request'>): Finding | undefined {
  const url = urlOf(exchange);
  if (exchange.record.request.purpose !== 'message' || url?.protocol !== 'http:') return undefined;
  if (LOOPBACK.test(url.hostname)) return undefined;
  return {
    rule: SEC.cleartext,
    side: 'server',
    group: url.host,
    message: `All that goes to ${url.host} can be read and changed on the way: it is not HTTPS.`,
  };
}

/** What the modern era deprecates, by what shows that it is in use. */
function deprecated(fact: MessageFact): Finding | undefined {
  const { revision, direction, method, connection } = fact;
  if (revision !== V5) return undefined;
  const found = (what: string): Finding => ({
    rule: SEC.deprecated,
    side: 'server',
    group: what,
    message: `The server uses ${what}, which 2026-07-28 deprecates.`,
  });
  if (direction === 'outgoing') return undefined;
  if (connection.transport === 'http-sse') return found('the transport HTTP+SSE');
  if (method === 'notifications/message') return found('log messages');
  for (const asked of askedBy(fact)) {
    if (asked.method === 'roots/list') return found('roots');
    if (asked.method !== 'sampling/createMessage') continue;
    const context = asked.params['includeContext'];
    return found(
      context === undefined || context === 'none' ? 'sampling' : 'sampling with includeContext',
    );
  }
  return undefined;
}

/** Security, and what goes away. */
export const SECURITY_DETECTORS: Detectors = {
  request: [cleartext],
  notifications: [deprecated],
  responses: [icons, deprecated],
};
