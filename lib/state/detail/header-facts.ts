import type { Correlation } from '../../capture/correlate/correlate.ts';
import { headerValue } from '../../capture/correlate/http-record.ts';
import type { HttpRecord } from '../../capture/correlate/items.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import { MIRRORED_NAME } from '../../protocol/mirrored-name.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { decodeHeaderValue } from '../../protocol/header-value.ts';
import { eraOf } from '../../protocol/revisions.ts';
import { isRecord } from '../../record.ts';
import { paramValue } from './header-params.ts';
import { resumedFrom } from './header-resumption.ts';
import { messageSize } from './read-text.ts';

/** How a header stands to what it is about. */
export interface HeaderVerdict {
  /** `note` only tells; `missing` and `different` are mismatches. */
  kind: 'same' | 'different' | 'missing' | 'note';
  words: string;
}

/** A header that MCP gives a meaning, read. */
export interface HeaderFact {
  /** As on the wire; of one that is missing, as the standard writes it. */
  name: string;
  header: Header | undefined;
  /** What the value stands for, where it is written as base64. */
  decoded?: string;
  verdicts: HeaderVerdict[];
}

type Source = Pick<Correlation, 'https' | 'sockets' | 'items' | 'connections'>;

const PARAM = 'mcp-param-';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** A body that is larger is not compared. Bytes. */
const BODY_LIMIT = 2_000_000;

/** Reads the MCP headers of a request and compares them with its body. */
export function toHeaderFacts(record: HttpRecord, source: Source): HeaderFact[] {
  const headers = record.sent?.headers ?? record.request.headers;
  const version = headerValue(headers, 'mcp-protocol-version') ?? '';
  const isModern = eraOf(version) === 'modern';
  const call = callOf(record, source);
  const facts: HeaderFact[] = [];
  for (const [index, header] of headers.entries()) {
    const name = header.name.toLowerCase();
    if (!name.startsWith('mcp-') && name !== 'last-event-id') continue;
    const verdicts: HeaderVerdict[] = verdictsOf(name, header, { record, source, call });
    const isAgain = headers.findIndex((other) => other.name.toLowerCase() === name) < index;
    if (isAgain) verdicts.push({ kind: 'different', words: 'given twice' });
    const decoded = decodeHeaderValue(header.value);
    const isMarked = decoded !== header.value;
    if (isMarked && decoded === undefined) {
      verdicts.unshift({ kind: 'different', words: 'marked as base64, but no base64 of UTF-8' });
    }
    const isReadable = isMarked && decoded !== undefined;
    facts.push({ name: header.name, header, verdicts, ...(isReadable ? { decoded } : {}) });
  }
  if (call === undefined || !(isModern || eraOf(call.version ?? '') === 'modern')) return facts;
  return [...facts, ...missingFacts(facts, call)];
}

/** What the body of a request says about itself. */
interface Call {
  version: string | undefined;
  method: string;
  params: Record<string, unknown>;
}

function callOf(record: HttpRecord, source: Source): Call | undefined {
  const ref = { in: 'request', httpId: record.httpId } as const;
  if (record.request.purpose !== 'message' && record.request.purpose !== 'probe') return undefined;
  if (messageSize(source, ref) > BODY_LIMIT) return undefined;
  const payload = classifyPayload(recordedText(source, ref) ?? '');
  const message = payload.kind === 'message' ? payload.message : undefined;
  if (message === undefined || !('method' in message)) return undefined;
  const params = isRecord(message.params) ? message.params : {};
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  const version = textOf(meta[VERSION_KEY]);
  return { version, method: message.method, params };
}

interface Surroundings {
  record: HttpRecord;
  source: Source;
  call: Call | undefined;
}

function verdictsOf(name: string, header: Header, around: Surroundings): HeaderVerdict[] {
  const { record, source, call } = around;
  const connection =
    record.connectionId === undefined ? undefined : source.connections.get(record.connectionId);
  if (name === 'mcp-session-id') {
    const session = header.cuts?.[0]?.secret;
    if (session === undefined || connection?.session === undefined) return [];
    return session === connection.session
      ? [{ kind: 'note', words: 'the session of this connection' }]
      : [
          {
            kind: 'note',
            words: `not the session that this connection has now, ‹${connection.session}›`,
          },
        ];
  }
  if (name === 'last-event-id') {
    return [{ kind: 'note', words: resumedFrom(record, header.value, source) }];
  }
  if (name === 'mcp-protocol-version') {
    const isModern = eraOf(header.value) === 'modern';
    if (call !== undefined && (isModern || call.version !== undefined)) {
      return [compared(header, call.version)];
    }
    const agreed = connection?.revision;
    if (agreed === undefined) return [];
    return header.value === agreed
      ? [{ kind: 'same', words: 'the revision agreed upon' }]
      : [{ kind: 'note', words: `the revision agreed upon is ${agreed}` }];
  }
  if (call === undefined || header.cuts !== undefined) return [];
  if (name === 'mcp-method') return [compared(header, call.method)];
  if (name === 'mcp-name') return [compared(header, nameIn(call))];
  if (!name.startsWith(PARAM)) return [];
  const found = paramValue(name.slice(PARAM.length), call.params, record, source);
  return found.kind === 'unknown'
    ? [{ kind: 'note', words: found.reason }]
    : [compared(header, found.value, `the argument ${found.argument}`)];
}

function nameIn({ method, params }: Call): string | undefined {
  return textOf(params[MIRRORED_NAME[method] ?? '']);
}

function compared(header: Header, value: string | undefined, what = 'the body'): HeaderVerdict {
  if (value === undefined) return { kind: 'different', words: `${what} has no such value` };
  const decoded = decodeHeaderValue(header.value) ?? header.value;
  const isSame = decoded === value || isSameNumber(decoded, value);
  return isSame
    ? { kind: 'same', words: what === 'the body' ? 'as in the body' : `as ${what}` }
    : { kind: 'different', words: `${what} has “${value}”` };
}

/** `1.0` and `1` are the same argument ("Server Validation" of the same page). */
function isSameNumber(left: string, right: string): boolean {
  return left.trim() !== '' && right.trim() !== '' && Number(left) === Number(right);
}

/** What a modern request must say in headers as well. */
function missingFacts(facts: readonly HeaderFact[], call: Call): HeaderFact[] {
  const wanted = [
    ['MCP-Protocol-Version', call.version],
    ['Mcp-Method', call.method],
    ['Mcp-Name', nameIn(call)],
  ] as const;
  return wanted.flatMap(([name, value]) => {
    const isThere = facts.some((fact) => fact.name.toLowerCase() === name.toLowerCase());
    if (value === undefined || isThere) return [];
    const words = `not sent; the body has “${value}”`;
    return [{ name, header: undefined, verdicts: [{ kind: 'missing', words }] }];
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
