import type { TransportKind } from '../../capture/store/stored-profile.ts';
import { NEWEST_LEGACY_REVISION } from '../../protocol/revisions.ts';
import type { ReportRow, TransportReport } from './transport-report.ts';
import { refusalWords } from './transport-report-words.ts';

/** What an official client does, as far as it decides whether it connects. */
interface Client {
  name: string;
  /** Streamable HTTP is what all of them begin with; the others have to be chosen in code. */
  byHand: TransportKind[];
  /** Asks by `server/discover` before it falls back to `initialize`; `strict` gives up on a 5xx or no answer. */
  probe?: 'strict' | 'lenient';
  sendsVersionHeader: boolean;
  /** Refuses an `endpoint` of another origin. */
  checksEndpoint: boolean;
  /** Uses a tool that wants a `number` mirrored in a header. */
  takesNumberHeaders?: boolean;
}

/** Whether an official client would connect to a server, judged by what a report found. */
export interface ClientVerdict {
  client: string;
  verdict: 'connects' | 'by-hand' | 'no' | 'unproven';
  reason: string;
  notes: string[];
}

const CLIENTS: Client[] = [
  {
    name: 'TypeScript 2.x, default mode',
    byHand: ['http-sse'],
    sendsVersionHeader: true,
    checksEndpoint: true,
  },
  {
    name: 'TypeScript 2.x, mode auto',
    byHand: ['http-sse'],
    probe: 'strict',
    sendsVersionHeader: true,
    checksEndpoint: true,
    takesNumberHeaders: true,
  },
  {
    name: 'TypeScript 1.x',
    byHand: ['http-sse', 'websocket'],
    sendsVersionHeader: true,
    checksEndpoint: true,
  },
  {
    name: 'Python 2.x, mode auto',
    byHand: ['http-sse'],
    probe: 'lenient',
    sendsVersionHeader: true,
    checksEndpoint: true,
    takesNumberHeaders: false,
  },
  {
    name: 'Python 1.x',
    byHand: ['http-sse', 'websocket'],
    sendsVersionHeader: true,
    checksEndpoint: true,
  },
  {
    name: 'Kotlin 0.14',
    byHand: ['http-sse', 'websocket'],
    sendsVersionHeader: false,
    checksEndpoint: false,
  },
];

type Finding = Omit<ClientVerdict, 'client' | 'notes'>;

/** Judges every official client by the rows of a report that is over. */
export function judgeClients(report: TransportReport): ClientVerdict[] {
  return CLIENTS.map((client) => {
    const { verdict, reason } = judge(client, report);
    const isModern = client.probe !== undefined && modernRow(report)?.outcome === 'answered';
    return {
      client: client.name,
      verdict,
      reason,
      notes: isModern ? toolNotes(client, report) : [],
    };
  });
}

function judge(client: Client, report: TransportReport): Finding {
  const socket = report.rows.find(({ candidate }) => candidate === 'websocket');
  if (socket !== undefined) return judgeSocket(client, socket);
  const probed = client.probe === undefined ? undefined : judgeProbe(client.probe, report);
  if (probed !== undefined) return probed;
  const legacy = report.rows.find(
    ({ candidate }) => candidate === `streamable-http ${NEWEST_LEGACY_REVISION}`,
  );
  if (legacy === undefined) return unproven('Its way to connect was not tried.');
  if (legacy.outcome === 'answered') return judgeLegacy(client, legacy);
  const { answer } = legacy.problem ?? {};
  const isModernOnly = modernRow(report)?.outcome === 'answered' && answer !== undefined;
  return (
    judgeByHand(client, report) ??
    (isModernOnly
      ? no(`Its \`initialize\` is answered ${answer.status}: the server speaks 2026-07-28 only.`)
      : judgeRefusal('initialize', legacy))
  );
}

function judgeSocket(client: Client, row: ReportRow): Finding {
  if (!client.byHand.includes('websocket')) return no('It has no WebSocket transport.');
  if (row.outcome !== 'answered') return judgeRefusal('the WebSocket', row);
  return row.era === 'modern'
    ? unproven(
        'The server answered with 2026-07-28; whether it takes `initialize` too was not tried.',
      )
    : byHand(`With its WebSocket transport: the server answers with ${row.revision}.`);
}

/** What `server/discover` leads to; undefined where the client goes on with `initialize`. */
function judgeProbe(probe: 'strict' | 'lenient', report: TransportReport): Finding | undefined {
  const row = modernRow(report);
  if (row === undefined) return undefined;
  if (row.outcome === 'answered') {
    return connects(`Its \`server/discover\` is answered: it goes on with ${row.revision}.`);
  }
  const { first } = row.evidence;
  const status = first?.status;
  if (status === 401 || status === 403) return asksForLogin(status);
  if (row.outcome !== 'not-this' && row.outcome !== 'refused') return undefined;
  const isUnclear = status === undefined ? first?.rpcCode === undefined : status >= 500;
  if (!isUnclear || probe === 'lenient') return undefined;
  return no(
    status === undefined
      ? 'Its `server/discover` gets no answer, and it takes that for a failed connection.'
      : `Its \`server/discover\` is answered ${status}, and it takes a 5xx for a failed connection.`,
  );
}

function judgeLegacy(client: Client, row: ReportRow): Finding {
  const begins =
    client.probe === undefined
      ? `Its \`initialize\` offers ${row.offerRevision}`
      : 'Its `server/discover` finds no modern server, so it falls back to `initialize`';
  const answered = `${begins}, and the server answers with ${row.revision}.`;
  if (client.sendsVersionHeader) return connects(answered);
  const { needsVersionHeader } = row.evidence;
  if (needsVersionHeader === true) {
    return no(
      'The handshake succeeds, but it sends no MCP-Protocol-Version unless its host sets it, and the server refuses requests without one.',
    );
  }
  return needsVersionHeader === false
    ? connects(`${answered} It sends no MCP-Protocol-Version, which the server accepts.`)
    : unproven(
        'It sends no MCP-Protocol-Version; whether the server insists on it was not found out.',
      );
}

/** None of them falls back to HTTP+SSE by itself. */
function judgeByHand(client: Client, { rows }: TransportReport): Finding | undefined {
  const ofSse = rows.filter(({ candidate }) => candidate.startsWith('http-sse'));
  const open = ofSse.find(({ outcome }) => outcome === 'answered');
  if (open !== undefined) {
    return byHand(
      `Only with its HTTP+SSE transport, at ${open.url}: it does not try that by itself.`,
    );
  }
  const foreign = ofSse.find(({ problem }) => problem?.code === 'endpoint-refused');
  if (foreign === undefined) return undefined;
  return client.checksEndpoint
    ? no('HTTP+SSE is there, but its endpoint is on another origin, which the client refuses.')
    : byHand(
        `Only with its HTTP+SSE transport, at ${foreign.url}: unlike the others it does not check that the endpoint is on the same origin.`,
      );
}

function judgeRefusal(what: string, row: ReportRow): Finding {
  const { status } = row.evidence.first ?? {};
  if (status === 401 || status === 403) return asksForLogin(status);
  if (row.outcome !== 'not-this' && row.outcome !== 'refused') {
    return unproven('Its way to connect was not tried to the end.');
  }
  const name = what === 'initialize' ? 'Its `initialize`' : `For it, ${what}`;
  return no(`${name} fails: ${refusalWords(row)}.`);
}

function toolNotes({ takesNumberHeaders }: Client, report: TransportReport): string[] {
  const tools = modernRow(report)?.evidence.mirroredTools ?? [];
  const withNumber = tools.filter(({ hasNumber }) => hasNumber).map(({ name }) => name);
  const notes: string[] = [];
  if (takesNumberHeaders === false && withNumber.length > 0) {
    notes.push(`It drops ${withNumber.join(', ')}: x-mcp-header on a number is not allowed.`);
  }
  if (takesNumberHeaders === true && tools.length > 0) {
    notes.push(
      `In a browser it mirrors no arguments in headers, so calls of ${tools.map(({ name }) => name).join(', ')} fail there.`,
    );
  }
  return notes;
}

function modernRow({ rows }: TransportReport): ReportRow | undefined {
  return rows.find(({ candidate }) => candidate === 'modern');
}

function asksForLogin(status: number): Finding {
  return unproven(
    `The server answers ${status}: whether it connects shows only once the user has authorized. Run the report again with an Authorization header.`,
  );
}

const connects = (reason: string): Finding => ({ verdict: 'connects', reason });
const byHand = (reason: string): Finding => ({ verdict: 'by-hand', reason });
const no = (reason: string): Finding => ({ verdict: 'no', reason });
const unproven = (reason: string): Finding => ({ verdict: 'unproven', reason });
