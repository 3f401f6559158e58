import type { Correlation } from '../../capture/correlate/correlate.ts';
import { bodyBytes, headerValue } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, Item, RequestItem } from '../../capture/correlate/items.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import { essence } from '../../protocol/diagnose.ts';
import { classifyPayload, type Message } from '../../protocol/jsonrpc.ts';
import { toLine } from '../../text.ts';
import { isRecord } from '../../record.ts';

type Response = Message & { kind: 'result' | 'error' };

/** How a server answered one request of a report. */
export interface ReportAnswer {
  /** HTTP status; absent where there was no answer, or no HTTP. */
  status?: number;
  /** Code of the JSON-RPC error in it. */
  rpcCode?: number;
  /** Revisions that the answer lists. */
  listed: string[];
}

/** A tool whose arguments are to be mirrored in headers. */
export interface MirroredTool {
  name: string;
  /** An annotated property is a `number`, which the standard does not allow. */
  hasNumber: boolean;
}

/** What the exchanges of one candidate show beyond the fact that it connected. */
export interface ReportEvidence {
  /** The answer to the first message of the candidate: `server/discover`, `initialize` or the GET. */
  first?: ReportAnswer;
  /** Names of the server's capabilities, with `resources.subscribe` as one of its own. */
  capabilities: string[];
  hasSession: boolean;
  /** The GET stream: a status where it was refused. */
  stream?: 'open' | 'silent' | number;
  /** Whether a request without `MCP-Protocol-Version` was refused. */
  needsVersionHeader?: boolean;
  /** Whether a request whose `Mcp-Method` differs from its body was refused. */
  checksHeaders?: boolean;
  mirroredTools: MirroredTool[];
  /** Methods of requests that the server sent by itself. */
  serverRequests: string[];
}

/** Reads what the log shows about the connection of one candidate. */
export function readReportEvidence(connectionId: string, correlation: Correlation): ReportEvidence {
  const items = correlation.items.filter((item) => item.connectionId === connectionId);
  const requests = items.filter((item) => item.kind === 'request');
  const ours = requests.filter(({ direction }) => direction === 'outgoing');
  const opening = ours.find(
    ({ method }) => method === 'server/discover' || method === 'initialize',
  );
  const first = firstAnswer(opening, items, correlation);
  const stream = readStream(items, correlation);
  const lax = ours.find((item) => item.method === 'ping' && !hasVersion(item, correlation));
  const mismatched = ours.find((item) => isMismatched(item, correlation));
  const needsVersionHeader = isRefused(lax);
  const checksHeaders = isRefused(mismatched);
  return {
    ...(first === undefined ? {} : { first }),
    capabilities: capabilitiesOf(resultOf(opening, correlation)),
    hasSession: correlation.connections.get(connectionId)?.session !== undefined,
    ...(stream === undefined ? {} : { stream }),
    ...(needsVersionHeader === undefined ? {} : { needsVersionHeader }),
    ...(checksHeaders === undefined ? {} : { checksHeaders }),
    mirroredTools: mirroredTools(
      resultOf(
        ours.find(({ method }) => method === 'tools/list'),
        correlation,
      ),
    ),
    serverRequests: requests.flatMap(({ direction, method }) =>
      direction === 'incoming' && method !== 'ping' ? [method] : [],
    ),
  };
}

/** A message over HTTP+SSE is only accepted by its POST: what tells there is the answer to the GET. */
function firstAnswer(
  opening: RequestItem | undefined,
  items: Item[],
  correlation: Correlation,
): ReportAnswer | undefined {
  const carrier = opening ?? items.find((item) => item.kind === 'stream');
  if (carrier === undefined) return undefined;
  const record = recordOf(carrier, correlation);
  const response = opening === undefined ? undefined : responseOf(opening, correlation);
  const status = record?.response?.status;
  return {
    ...(status === undefined ? {} : { status }),
    ...(response?.kind === 'error' && response.code !== undefined
      ? { rpcCode: response.code }
      : {}),
    listed: listedIn(response),
  };
}

function readStream(items: Item[], correlation: Correlation): ReportEvidence['stream'] {
  const record = items
    .filter((item) => item.kind === 'stream')
    .map((item) => recordOf(item, correlation))
    .find((found) => found !== undefined);
  if (record === undefined) return undefined;
  // Firefox has no head to show before the first byte of a body, so this proves nothing.
  if (record.response === undefined) return record.end === undefined ? undefined : 'silent';
  const { status, headers } = record.response;
  const isStream = essence(headerValue(headers, 'content-type')) === 'text/event-stream';
  return status === 200 && isStream ? 'open' : status;
}

/** Undefined where nothing was asked, or no answer came. */
function isRefused(item: RequestItem | undefined): boolean | undefined {
  if (item?.outcome === 'result') return false;
  return item?.outcome === 'error' || item?.problem?.code.startsWith('http-') === true
    ? true
    : undefined;
}

function hasVersion(item: RequestItem, correlation: Correlation): boolean {
  const headers = recordOf(item, correlation)?.request.headers;
  return headers === undefined || headerValue(headers, 'mcp-protocol-version') !== undefined;
}

function isMismatched(item: RequestItem, correlation: Correlation): boolean {
  const sent = headerValue(recordOf(item, correlation)?.request.headers, 'mcp-method');
  return sent !== undefined && sent !== item.method;
}

function recordOf(item: Item, { https }: Correlation): HttpRecord | undefined {
  return item.httpId === undefined ? undefined : https.get(item.httpId);
}

/** The response to a request of ours; also where it stands in the body of a refusal. */
function responseOf(item: RequestItem, correlation: Correlation): Response | undefined {
  const record = recordOf(item, correlation);
  const text =
    item.response === undefined
      ? record && new TextDecoder().decode(bodyBytes(record))
      : recordedText(correlation, item.response);
  const payload = classifyPayload(text ?? '');
  if (payload.kind !== 'message') return undefined;
  const { message } = payload;
  return message.kind === 'result' || message.kind === 'error' ? message : undefined;
}

function resultOf(
  item: RequestItem | undefined,
  correlation: Correlation,
): Record<string, unknown> {
  const response = item === undefined ? undefined : responseOf(item, correlation);
  return response?.kind === 'result' && isRecord(response.result) ? response.result : {};
}

/** A result of `server/discover`, or an error that says which versions there are. */
function listedIn(response: Response | undefined): string[] {
  const holder = response?.kind === 'result' ? response.result : response?.data;
  if (!isRecord(holder)) return [];
  const listed = holder['supportedVersions'] ?? holder['supported'];
  return Array.isArray(listed) ? listed.filter((entry) => typeof entry === 'string') : [];
}

function capabilitiesOf({ capabilities }: Record<string, unknown>): string[] {
  if (!isRecord(capabilities)) return [];
  const { resources } = capabilities;
  const canSubscribe = isRecord(resources) && resources['subscribe'] === true;
  return [...Object.keys(capabilities), ...(canSubscribe ? ['resources.subscribe'] : [])];
}

function mirroredTools({ tools }: Record<string, unknown>): MirroredTool[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isRecord).flatMap(({ name, inputSchema }) => {
    const types = annotatedTypes(inputSchema);
    const isNamed = typeof name === 'string';
    return isNamed && types.length > 0 ? [{ name, hasNumber: types.includes('number') }] : [];
  });
}

/** Types of everything in a schema that has an `x-mcp-header`. */
function annotatedTypes(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.values(schema).flatMap(annotatedTypes);
  const isAnnotated = isRecord(schema) && Object.hasOwn(schema, 'x-mcp-header');
  return isAnnotated ? [toLine(schema['type']), ...inside] : inside;
}
