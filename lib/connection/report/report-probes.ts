import { POST_HEADERS } from '../../transport/http/merge-headers.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import { modernCall } from '../../protocol/modern-call.ts';
import { NEWEST_LEGACY_REVISION } from '../../protocol/revisions.ts';
import { answers } from '../../transport/http/answer.ts';
import type { ExchangeContext, ExchangeRequest } from '../../transport/exchange/exchange.ts';
import { openExchange } from '../../transport/exchange/open-exchange.ts';
import { mergeHeaders } from '../../transport/http/merge-headers.ts';
import type { Profile } from '../profile.ts';
import { readReply } from '../raw/read-reply.ts';
import { timeLimit } from '../time-limit.ts';

/** A GET stream with nothing to say may show no head at all; milliseconds. */
const STREAM_MS = 2000;
/** No answer is waited for longer than this, and no more of it is read, in milliseconds and bytes. */
const PROBE_MS = 5000;
const PROBE_BYTES = 1024 * 1024;

export interface ProbedConnection {
  profile: Profile;
  summary: ConnectionSummary;
  /** The session id itself, where there is one. */
  session: string | undefined;
  clientVersion: string;
  signal: AbortSignal;
}

/**
 * Asks over an open connection what its handshake leaves open, for a transport report: with requests that only
 * read, some of them as another client would send them. Never rejects: what came of it is in the log.
 */
export async function askMore(context: ExchangeContext, asked: ProbedConnection): Promise<void> {
  if (asked.summary.transport !== 'streamable-http') return;
  if (asked.summary.era === 'modern') return askModern(context, asked);
  const { profile, session } = asked;
  const known = session === undefined ? [] : [{ name: 'Mcp-Session-Id', value: session }];
  const version = { name: 'MCP-Protocol-Version', value: asked.summary.revision ?? '' };
  await probe(context, asked, {
    purpose: 'stream',
    method: 'GET',
    headers: [{ name: 'Accept', value: 'text/event-stream' }, version, ...known],
  });
  if ((profile.offerRevision ?? NEWEST_LEGACY_REVISION) !== NEWEST_LEGACY_REVISION) return;
  override(context, 'A ping without MCP-Protocol-Version, as the Kotlin SDK sends its requests');
  await probe(context, asked, post('{"jsonrpc":"2.0","id":"report-ping","method":"ping"}', known));
}

async function askModern(context: ExchangeContext, asked: ProbedConnection): Promise<void> {
  const list = modernPost(asked, 'report-tools', 'tools/list');
  await probe(context, asked, list);
  override(
    context,
    'A request whose Mcp-Method differs from its body, to see whether that is checked',
  );
  const discover = modernPost(asked, 'report-headers', 'server/discover');
  const headers = discover.headers.map((header) =>
    header.name === 'Mcp-Method' ? { ...header, value: 'ping' } : header,
  );
  await probe(context, asked, { ...discover, headers });
}

type ProbeRequest = Pick<ExchangeRequest, 'purpose' | 'method' | 'headers' | 'body'>;

function modernPost(asked: ProbedConnection, id: string, method: string): ProbeRequest {
  const { paramsText, headers } = modernCall(
    method,
    undefined,
    {
      protocolVersion: asked.summary.revision ?? '',
      clientInfo: { name: 'wirescope', title: 'Wirescope', version: asked.clientVersion },
      clientCapabilities: {},
    },
    () => [],
  );
  const call = `"id":"${id}","method":"${method}","params":${paramsText}`;
  return post(`{"jsonrpc":"2.0",${call}}`, headers);
}

function post(text: string, headers: Header[]): ProbeRequest {
  const body = new TextEncoder().encode(text);
  return { purpose: 'message', method: 'POST', headers: [...POST_HEADERS, ...headers], body };
}

async function probe(
  context: ExchangeContext,
  { profile, signal }: ProbedConnection,
  request: ProbeRequest,
): Promise<void> {
  if (signal.aborted) return;
  const waitMs = request.purpose === 'stream' ? STREAM_MS : PROBE_MS;
  const limit = timeLimit(waitMs, 'The transport report waits no longer for this.', signal);
  try {
    const exchange = await openExchange(context, {
      ...request,
      url: profile.url,
      headers: mergeHeaders(request.headers, profile.headers),
      signal: limit.signal,
    });
    // That a stream opens is all there is to know about it.
    if (request.purpose === 'stream') exchange.stop('not-needed');
    // What the server does with a stream after the response has come is of no interest.
    await readReply(exchange, { ...context, limitBytes: PROBE_BYTES }, (payload) => {
      if (answers(payload)) exchange.stop('not-needed');
    });
  } catch {
    // The row of the exchange says how it ended.
  } finally {
    limit.stop();
  }
}

function override({ recorder, connectionId }: ExchangeContext, what: string): void {
  recorder.record({ kind: 'override-chosen', what }, connectionId);
}
