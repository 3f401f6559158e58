import { createHmac, randomBytes } from 'node:crypto';
import { isRecord, notification, pause, sendEvent, sendJson } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { metaOf, refuse, type Mirrored } from './tiny-modern-check.ts';
import {
  endSubscriptions,
  openModernStream,
  tellToolsChanged,
  tellUpdated,
} from './tiny-modern-listen.ts';
import { modernResult, modernText } from './tiny-modern-result.ts';
import { startTask } from './tiny-modern-tasks.ts';

const KEY = randomBytes(16);

function tool(name: string, description: string, properties: Record<string, unknown> = {}) {
  const inputSchema = { type: 'object', properties };
  return { name, description, inputSchema, annotations: { readOnlyHint: true } };
}

export const MODERN_TOOLS = [
  tool('echo', 'Answers in JSON with the text it was given', { text: { type: 'string' } }),
  tool('slow', 'Answers in a stream after some milliseconds', { ms: { type: 'number' } }),
  tool('progress', 'Reports every step in a stream', { steps: { type: 'number' } }),
  tool('fail', 'Answers with a result that is an error of the tool'),
  tool('mirror', 'Wants its arguments in headers', {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    options: {
      type: 'object',
      properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } },
    },
  }),
  tool('ask', 'Asks for a name, as often as it is told to', {
    rounds: { type: 'integer' },
    about: { type: 'string' },
  }),
  tool('busy', 'Wants to be called once more, and asks for nothing'),
  tool('change', 'Tells subscribers that the tools have changed'),
  tool('touch', 'Tells subscribers that a resource has changed', { uri: { type: 'string' } }),
  tool('cancelled', 'Tells how many calls of `slow` were cancelled'),
  tool('end', 'Ends all subscriptions', { abrupt: { type: 'boolean' } }),
  tool('research', 'Runs as a task, and asks for a reader if it is told to', {
    topic: { type: 'string' },
    asks: { type: 'boolean' },
    polls: { type: 'integer' },
  }),
];

const MIRRORED: Mirrored[] = [
  { header: 'Region', path: ['region'] },
  { header: 'Count', path: ['count'] },
  { header: 'Dry-Run', path: ['options', 'dry'] },
];

/** The arguments that a call of this tool has to mirror. */
export function mirroredBy(exchange: Exchange): Mirrored[] {
  return exchange.message.params?.['name'] === 'mirror' ? MIRRORED : [];
}

/** State that a client has to carry, sealed, with characters that a careless one changes. */
function seal(round: number, about = ''): string {
  const text = `${about}round ${round} "naïve"\\ \u2028 <&>`;
  return `${text} ${createHmac('sha256', KEY).update(text).digest('base64')}`;
}

/** The question of one round, about what the call is about. */
export function question(round: number, about = ''): Record<string, unknown> {
  const properties = { name: { type: 'string', title: 'Name', default: `guest ${round}` } };
  const requestedSchema = { type: 'object', properties, required: ['name'] };
  const params = { mode: 'form', message: `${about}Name number ${round}?`, requestedSchema };
  return { [`name-${round}`]: { method: 'elicitation/create', params } };
}

/** Asks for input; the state says which round it is. */
export function askFor(exchange: Exchange, round: number, about = ''): string {
  const inputRequests = question(round, about);
  const requestState = seal(round, about);
  return modernResult(exchange, { resultType: 'input_required', inputRequests, requestState });
}

function ask(exchange: Exchange, rounds: number, about: string): void {
  const declared = metaOf(exchange, 'clientCapabilities');
  if (!isRecord(declared) || !isRecord(declared['elicitation'])) {
    const data = { requiredCapabilities: { elicitation: { form: {} } } };
    const message = 'Elicitation is needed';
    refuse(exchange, { status: 400, code: -32021, message, data });
    return;
  }
  const { requestState, inputResponses } = exchange.message.params ?? {};
  if (requestState === undefined) {
    sendJson(exchange, askFor(exchange, 1, about));
    return;
  }
  const round = Array.from({ length: rounds }, (_, index) => index + 1).find(
    (each) => requestState === seal(each, about),
  );
  if (round === undefined) {
    refuse(exchange, { status: 200, code: -32602, message: 'This state is not of this server' });
    return;
  }
  const answer = isRecord(inputResponses) ? inputResponses[`name-${round}`] : undefined;
  if (!isRecord(answer)) sendJson(exchange, askFor(exchange, round, about));
  else if (round < rounds) sendJson(exchange, askFor(exchange, round + 1, about));
  else sendJson(exchange, modernText(exchange, `${about}${JSON.stringify(answer)}`));
}

/** What a call is about, in front of all that is said to it. */
function aboutOf({ about }: Record<string, unknown>): string {
  return typeof about === 'string' ? `${about}: ` : '';
}

function busy(exchange: Exchange): void {
  const isAgain = exchange.message.params?.['requestState'] === seal(0);
  const again = { resultType: 'input_required', requestState: seal(0) };
  sendJson(exchange, isAgain ? modernText(exchange, 'done') : modernResult(exchange, again));
}

/** What a step tells, as far as the request wants to know: progress by its token, logs by its level. */
function stepMessages(exchange: Exchange, step: number, total: number): string[] {
  const meta = exchange.message.params?.['_meta'];
  const progressToken = isRecord(meta) ? meta['progressToken'] : undefined;
  const level = metaOf(exchange, 'logLevel');
  const data = `step ${step} of ${total}`;
  return [
    ...(progressToken === undefined
      ? []
      : [notification('notifications/progress', { progressToken, progress: step, total })]),
    ...(level === undefined ? [] : [notification('notifications/message', { level, data })]),
  ];
}

async function report(exchange: Exchange, steps: number): Promise<void> {
  const stream = openModernStream(exchange);
  for (let step = 1; step <= steps; step += 1) {
    for (const message of stepMessages(exchange, step, steps)) sendEvent(stream, message);
    await pause(exchange, 5);
  }
  sendEvent(stream, modernText(exchange, `${steps} steps`));
  stream.end();
}

/** Calls whose stream the client closed, by the server that they belong to. */
const CANCELLED = new WeakMap<object, number>();

function cancelledIn({ sessions }: Exchange): number {
  return CANCELLED.get(sessions) ?? 0;
}

async function answerLate(exchange: Exchange, durationMs: number): Promise<void> {
  const stream = openModernStream(exchange);
  try {
    await pause(exchange, durationMs);
  } catch (error) {
    CANCELLED.set(exchange.sessions, cancelledIn(exchange) + 1);
    throw error;
  }
  sendEvent(stream, modernText(exchange, 'done'));
  stream.end();
}

/** Answers `tools/call`. */
export async function callModernTool(exchange: Exchange): Promise<void> {
  const { name, arguments: values } = exchange.message.params ?? {};
  const given = isRecord(values) ? values : {};
  const answer = (text: string): void => sendJson(exchange, modernText(exchange, text));
  switch (name) {
    case 'echo':
      return answer(String(given['text']));
    case 'mirror':
      return answer(JSON.stringify(given));
    case 'slow':
      return answerLate(exchange, Number(given['ms'] ?? 1000));
    case 'progress':
      return report(exchange, Number(given['steps'] ?? 3));
    case 'ask':
      return ask(exchange, Number(given['rounds'] ?? 1), aboutOf(given));
    case 'busy':
      return busy(exchange);
    case 'change':
      return answer(`${tellToolsChanged(exchange)} told`);
    case 'touch':
      return answer(`${tellUpdated(exchange, String(given['uri']))} told`);
    case 'cancelled':
      return answer(`${cancelledIn(exchange)} cancelled`);
    case 'end':
      return answer(`${endSubscriptions(exchange, given['abrupt'] === true)} ended`);
    case 'research':
      return startTask(exchange, given);
    case 'fail': {
      const content = [{ type: 'text', text: 'The disk is full' }];
      return sendJson(exchange, modernResult(exchange, { content, isError: true }));
    }
    default:
      return refuse(exchange, { status: 200, code: -32602, message: 'Unknown tool' });
  }
}
