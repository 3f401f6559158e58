import { headerValue } from '../../capture/correlate/http-record.ts';
import type { Item } from '../../capture/correlate/items.ts';
import { httpStatus } from '../detail/http-status.ts';
import { isPending, toLevel, toStatusText } from '../view/item-status.ts';
import { messageEraOf } from '../connect/message-era.ts';
import { durationOf, isInjected, sizeBytesOf, toKind } from '../view/rows.ts';
import type { RowSource } from '../view/rows.ts';
import {
  connectionNameOf,
  connectionOf,
  directionOf,
  mimeTypeOf,
  ownRecord,
  urlOf,
} from '../view/view-facts.ts';
import { contains, equals, parseSize, parseTime } from './filter-values.ts';
import type { TextTest } from './filter-values.ts';

/** The log around an item. */
export interface KeyContext {
  source: RowSource;
  hasIssue(item: Item): boolean;
}

/** What a key asks of an item. */
export type ItemTest = (item: Item, context: KeyContext) => boolean;

type TextOf = (item: Item, source: RowSource) => string | undefined;

export interface FilterKey {
  name: string;
  /** What it is about, for the list of keys. */
  hint: string;
  /** An example of a value, for what is wrong with one. */
  example: string;
  /** Values to offer besides those of the log. */
  values?: readonly string[];
  /** Whether other values than those make sense. */
  isOpen: boolean;
  /** The value of an item, as it would be written in a filter: for completion. */
  textOf?: TextOf;
  needs?: 'issues' | 'connections';
  /** Undefined where the value makes no sense. */
  compile(value: string, isQuoted: boolean): ItemTest | undefined;
}

/** A key whose value is compared with a text of the item. */
function textKey(
  key: Pick<FilterKey, 'name' | 'hint' | 'example' | 'values' | 'needs'>,
  textOf: TextOf,
  toTest: (value: string, isQuoted: boolean) => TextTest = equals,
): FilterKey {
  return {
    ...key,
    isOpen: true,
    textOf,
    compile(value, isQuoted) {
      const test = toTest(value, isQuoted);
      return (item, { source }) => test(textOf(item, source));
    },
  };
}

/** A key whose values are words with a meaning each. */
function wordKey(
  key: Pick<FilterKey, 'name' | 'hint' | 'example' | 'needs'>,
  words: Record<string, ItemTest>,
): FilterKey {
  return {
    ...key,
    isOpen: false,
    values: Object.keys(words),
    compile(value) {
      const word = value.toLowerCase();
      return Object.hasOwn(words, word) ? words[word] : undefined;
    },
  };
}

const VERBS = new Set(['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']);

function rpcMethodOf(item: Item): string | undefined {
  return 'method' in item ? item.method : undefined;
}

function verbOf(item: Item, source: RowSource): string | undefined {
  return ownRecord(item, source)?.request.method;
}

function statusCodeOf(item: Item, source: RowSource): string | undefined {
  const status = httpStatus(ownRecord(item, source));
  return status === undefined ? undefined : String(status);
}

function toolOf(item: Item): string | undefined {
  return item.kind === 'request' && item.method === 'tools/call' ? item.target : undefined;
}

function idOf(item: Item): string | undefined {
  return item.kind === 'request' ? item.rpcId : undefined;
}

function taskOf(item: Item): string | undefined {
  if (item.kind === 'request') return item.createdTask ?? item.aboutTask;
  return item.kind === 'notification' ? item.aboutTask : undefined;
}

/** The fingerprint of a session id: the id itself is a secret, and not in the log. */
function sessionOf(item: Item, source: RowSource): string | undefined {
  const headers = ownRecord(item, source)?.request.headers ?? [];
  const own = headers.find(({ name }) => name.toLowerCase() === 'mcp-session-id')?.cuts?.[0]
    ?.secret;
  return own ?? connectionOf(item, source)?.session;
}

function urlTextOf(item: Item, source: RowSource): string | undefined {
  return urlOf(item, source)?.text;
}

function domainOf(item: Item, source: RowSource): string | undefined {
  return URL.parse(urlTextOf(item, source) ?? '')?.hostname;
}

function statusTest(value: string): TextTest {
  return /^\dxx$/i.test(value) ? equals(`${value.charAt(0)}*`) : equals(value);
}

/** All keys of the filter, in the order in which they are offered. */
export const FILTER_KEYS: readonly FilterKey[] = [
  {
    ...textKey(
      { name: 'method', hint: 'JSON-RPC method, or HTTP verb', example: 'tools/*' },
      rpcMethodOf,
    ),
    compile(value, isQuoted) {
      const test = equals(value, isQuoted);
      if (!VERBS.has(value.toUpperCase())) return (item) => test(rpcMethodOf(item));
      return (item, { source }) => test(verbOf(item, source));
    },
  },
  textKey({ name: 'tool', hint: 'Name of the tool called', example: 'echo' }, toolOf),
  wordKey(
    { name: 'is', hint: 'State of a row', example: 'running' },
    {
      running: (item, { source }) => isPending(item, source),
      error: (item, { source }) => toLevel(item, source) === 'error',
      warning: (item, { source }) => toLevel(item, source) === 'warning',
      injected: (item, { source }) => isInjected(item, source),
      replay: (item) => item.kind === 'request' && item.replayOf !== undefined,
      retry: (item, { source }) => ownRecord(item, source)?.request.links.retryOf !== undefined,
    },
  ),
  wordKey(
    { name: 'has', hint: 'What a row has', example: 'issue', needs: 'issues' },
    {
      issue: (item, { hasIssue }) => hasIssue(item),
      response: (item) => item.kind === 'request' && item.response !== undefined,
      task: (item) => taskOf(item) !== undefined,
    },
  ),
  {
    ...wordKey(
      { name: 'dir', hint: 'Direction', example: 'in' },
      {
        in: (item) => directionOf(item) === 'incoming',
        out: (item) => directionOf(item) === 'outgoing',
        incoming: (item) => directionOf(item) === 'incoming',
        outgoing: (item) => directionOf(item) === 'outgoing',
      },
    ),
    values: ['in', 'out'],
  },
  textKey({ name: 'kind', hint: 'What the row is', example: 'notification' }, (item) =>
    toKind(item).replaceAll(' ', '-').toLowerCase(),
  ),
  {
    name: 'id',
    hint: 'JSON-RPC id',
    example: '7',
    isOpen: true,
    textOf: (item) => idOf(item),
    compile(value, isQuoted) {
      const asText = JSON.stringify(value);
      return (item) => {
        const id = idOf(item);
        return id !== undefined && (id === asText || (!isQuoted && id === value));
      };
    },
  },
  textKey(
    { name: 'status-code', hint: 'HTTP status', example: '404' },
    statusCodeOf,
    (value, isQuoted) => (isQuoted ? equals(value, true) : statusTest(value)),
  ),
  textKey(
    { name: 'status', hint: 'Words of the status column', example: 'cancelled' },
    (item, source) => toStatusText(item, source),
    contains,
  ),
  textKey({ name: 'http-method', hint: 'HTTP verb', example: 'POST' }, verbOf),
  {
    name: 'larger-than',
    hint: 'Size above',
    example: '10k',
    isOpen: true,
    values: ['1k', '10k', '1M'],
    compile(value) {
      const bound = parseSize(value);
      if (bound === undefined) return undefined;
      return (item, { source }) => (sizeBytesOf(item, source) ?? -1) > bound;
    },
  },
  {
    name: 'slower-than',
    hint: 'Took longer than',
    example: '500ms',
    isOpen: true,
    values: ['100ms', '500ms', '1s', '10s'],
    compile(value) {
      const bound = parseTime(value);
      if (bound === undefined) return undefined;
      return (item, { source }) => (durationOf(item, source)?.ms ?? -1) > bound;
    },
  },
  {
    ...textKey(
      {
        name: 'conn',
        hint: 'Connection: name, URL or id',
        example: 'everything',
        needs: 'connections',
      },
      connectionNameOf,
    ),
    compile(value, isQuoted) {
      const [isId, isNamed] = [equals(value, isQuoted), contains(value, isQuoted)];
      return (item, { source }) =>
        isId(item.connectionId) ||
        isNamed(connectionNameOf(item, source)) ||
        isNamed(connectionOf(item, source)?.url);
    },
  },
  textKey(
    {
      name: 'session',
      hint: 'MCP session, by its fingerprint',
      example: '3f9a',
      needs: 'connections',
    },
    sessionOf,
  ),
  {
    ...textKey(
      {
        name: 'era',
        hint: 'legacy, modern, or a revision',
        example: 'modern',
        needs: 'connections',
      },
      (item, source) => messageEraOf(item, source)?.revision,
    ),
    values: ['legacy', 'modern'],
    compile(value, isQuoted) {
      const test = equals(value, isQuoted);
      return (item, { source }) => {
        const era = messageEraOf(item, source);
        return era !== undefined && (test(era.era) || test(era.revision));
      };
    },
  },
  textKey({ name: 'task', hint: 'Task id', example: '"786512e2"' }, taskOf),
  textKey({ name: 'url', hint: 'Part of the URL', example: '/mcp' }, urlTextOf, contains),
  textKey({ name: 'domain', hint: 'Host name', example: '*.example.com' }, domainOf),
  textKey(
    {
      name: 'scheme',
      hint: 'Scheme of the URL',
      example: 'https',
      values: ['http', 'https', 'ws', 'wss'],
    },
    (item, source) => URL.parse(urlTextOf(item, source) ?? '')?.protocol.slice(0, -1),
  ),
  textKey(
    { name: 'mime-type', hint: 'Media type of the response', example: 'text/event-stream' },
    mimeTypeOf,
  ),
  {
    name: 'has-response-header',
    hint: 'Response has the header',
    example: 'www-authenticate',
    isOpen: true,
    compile(value) {
      const name = value.toLowerCase();
      return (item, { source }) =>
        headerValue(ownRecord(item, source)?.response?.headers, name) !== undefined;
    },
  },
];
