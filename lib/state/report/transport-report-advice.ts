import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../protocol/revisions.ts';
import type { ReportRow, TransportReport } from './transport-report.ts';
import { refusalWords } from './transport-report-words.ts';

/** What to change at a server, for one move. */
export interface Advice {
  title: string;
  lines: string[];
}

const [MODERN] = MODERN_REVISIONS;
/** Capabilities whose methods 2026-07-28 removed, and what took their place (2026-07-28, changelog). */
const REPLACED: Record<string, string> = {
  logging: '`logging/setLevel` is gone: each request names its log level in `_meta`.',
  'resources.subscribe':
    '`resources/subscribe` is gone: `subscriptions/listen` takes the URIs to watch.',
  tasks: 'Core tasks are gone: the extension `io.modelcontextprotocol/tasks` has other messages.',
};
const REFUSED = new Set(['not-this', 'refused']);

/** What the evidence of a report says is to be done. Empty where nothing was answered at all. */
export function adviseMoves(report: TransportReport): Advice[] {
  const { rows } = report;
  const modern = rows.find(({ candidate }) => candidate === 'modern');
  const streamable = rows.filter(({ candidate }) => candidate.startsWith('streamable-http'));
  const sse = rows.filter(({ candidate }) => candidate.startsWith('http-sse'));
  const socket = rows.find(({ candidate }) => candidate === 'websocket');
  if (!rows.some(({ outcome }) => outcome === 'answered')) return [];
  return [
    ...(socket === undefined ? [] : [adviseSocket(socket)]),
    toStreamable(streamable, sse, modern),
    ...(modern === undefined ? [] : [toModern(modern, streamable, sse)]),
  ].filter((advice): advice is Advice => advice !== undefined && advice.lines.length > 0);
}

function adviseSocket(row: ReportRow): Advice {
  const lines = [
    'WebSocket was never a transport of the standard, and the current TypeScript and Python SDKs have dropped it: serve Streamable HTTP beside it.',
  ];
  if (row.era === 'legacy') {
    lines.push(
      `The messages can move to ${MODERN} as they are: answer \`server/discover\`, and read the envelope in \`_meta\`.`,
    );
  }
  return { title: 'From WebSocket to Streamable HTTP', lines };
}

function toStreamable(
  streamable: ReportRow[],
  sse: ReportRow[],
  modern: ReportRow | undefined,
): Advice | undefined {
  const isServed = modern?.outcome === 'answered' || streamable.some(isAnswered);
  const open =
    sse.find(isAnswered) ?? sse.find(({ problem }) => problem?.code === 'endpoint-refused');
  const title = 'From HTTP+SSE to Streamable HTTP';
  const newest = streamable[0];
  if (isServed) {
    const lines = olderRevisions(streamable);
    if (open !== undefined) {
      lines.push(
        `HTTP+SSE is still served at ${open.url}. It left the standard with 2025-03-26: take it down once none of your clients asks for it.`,
      );
    }
    return { title, lines };
  }
  if (open === undefined || newest === undefined) return undefined;
  const status = newest.evidence.first?.status;
  const lines = [
    `Take POST at one URL: now ${refusalWords(newest)}. Answer each JSON-RPC request on its own POST, as JSON or as an SSE stream, and each notification with 202.`,
    'Send no `endpoint` event there. Clients learn the URL from their user.',
  ];
  if (open.evidence.hasSession) {
    lines.push(
      'The session id in the endpoint URL becomes the header `Mcp-Session-Id` of the answer to `initialize`; answer 404 to one that you do not know, and let DELETE end it.',
    );
  }
  if (status !== undefined && ![400, 404, 405].includes(status)) {
    lines.push(
      `Until then, answer a POST at this URL with 400, 404 or 405 instead of ${status}: only these make a client look for HTTP+SSE.`,
    );
  }
  if (open.problem?.code === 'endpoint-refused') {
    lines.push(
      'Announce an endpoint on the origin of the stream: most clients refuse another one.',
    );
  }
  if (open.isGuess) {
    lines.push(`HTTP+SSE is served at ${open.url}, where no client finds it by itself.`);
  }
  return { title, lines };
}

/** Revisions that the server does not take although it speaks Streamable HTTP. */
function olderRevisions(streamable: ReportRow[]): string[] {
  const answered = streamable.filter(isAnswered);
  if (answered.length === 0) return [];
  const [newest] = LEGACY_REVISIONS;
  const first = streamable.find(({ offerRevision }) => offerRevision === newest);
  const lines: string[] = [];
  if (first?.outcome === 'answered' && first.revision !== newest) {
    lines.push(`Speak ${newest}: offered it, the server answers with ${first.revision}.`);
  }
  const refused = streamable.filter(({ outcome }) => REFUSED.has(outcome));
  if (refused.length > 0) {
    const names = refused.map(({ offerRevision }) => offerRevision).join(', ');
    lines.push(
      `Offered ${names}, the server refuses the handshake. It should answer with a revision that it speaks instead, and leave the choice to the client.`,
    );
  }
  return lines;
}

function toModern(modern: ReportRow, streamable: ReportRow[], sse: ReportRow[]): Advice {
  const isSpoken = modern.outcome === 'answered';
  const title = isSpoken ? `${MODERN} as it is served` : `From legacy to ${MODERN}`;
  return {
    title,
    lines: isSpoken ? keepModern(modern, streamable) : becomeModern(modern, streamable, sse),
  };
}

function keepModern(modern: ReportRow, streamable: ReportRow[]): string[] {
  const lines: string[] = [];
  const { checksHeaders, mirroredTools } = modern.evidence;
  if (checksHeaders === false) {
    lines.push(
      'A request whose `Mcp-Method` differed from its body was answered: refuse it with 400 and -32020.',
    );
  }
  const withNumber = mirroredTools.filter(({ hasNumber }) => hasNumber);
  if (withNumber.length > 0) {
    lines.push(
      `Make the mirrored numbers of ${withNumber.map(({ name }) => name).join(', ')} integers or strings: clients must drop a tool with x-mcp-header on a number.`,
    );
  }
  if (!streamable.some(isAnswered)) {
    lines.push(
      `Only ${MODERN} is spoken. Clients that begin with \`initialize\` stay out: take the legacy handshake at the same URL as long as you want them.`,
    );
  }
  if (lines.length === 0) lines.push('Nothing to change was found.');
  return lines;
}

function becomeModern(modern: ReportRow, streamable: ReportRow[], sse: ReportRow[]): string[] {
  const legacy = streamable.find(isAnswered);
  const { evidence } = legacy ?? sse.find(isAnswered) ?? modern;
  const lines = [discoverLine(modern)];
  if (legacy === undefined) {
    lines.push('First move to Streamable HTTP: there is no HTTP+SSE in this revision.');
  }
  if (evidence.hasSession) {
    lines.push(
      'Sessions are still used. There are none in this revision: what spans requests becomes a handle that is passed as an argument.',
    );
  }
  if (legacy !== undefined && evidence.stream === 'open') {
    lines.push(
      'The GET stream is still served. Its notifications move to `subscriptions/listen`, and GET is answered 405.',
    );
  }
  if (evidence.needsVersionHeader === false) {
    lines.push(
      'Requests without MCP-Protocol-Version are taken. Check it on every POST, and `Mcp-Method` and `Mcp-Name` against the body; refuse a difference with 400 and -32020.',
    );
  }
  if (evidence.serverRequests.length > 0) {
    lines.push(
      `The server asks by itself (${[...new Set(evidence.serverRequests)].join(', ')}). Answer the call with \`input_required\` instead, and take the answers with its repeat.`,
    );
  }
  for (const name of evidence.capabilities) {
    const line = REPLACED[name];
    if (line !== undefined) lines.push(line);
  }
  lines.push(
    'Keep the legacy handshake at the same URL meanwhile: TypeScript in its default mode, and every Kotlin client, begin with it.',
  );
  return lines;
}

function discoverLine({ outcome, reason, evidence }: ReportRow): string {
  const { first } = evidence;
  const answered =
    first?.status === undefined
      ? (reason ?? (outcome === 'stopped' ? 'it was not tried to the end' : 'no answer came'))
      : [`answered ${first.status}`, first.rpcCode].filter(Boolean).join(', ');
  const listed =
    first === undefined || first.listed.length === 0 ? '' : `; it lists ${first.listed.join(', ')}`;
  const also = first?.rpcCode === -32601 ? ' An unknown method is 404 with -32601 there.' : '';
  return `Answer \`server/discover\` with the supported versions and capabilities: now ${answered}${listed}.${also}`;
}

function isAnswered({ outcome }: ReportRow): boolean {
  return outcome === 'answered';
}
