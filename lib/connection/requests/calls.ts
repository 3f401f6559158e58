import type { RequestLinks } from '../../capture/wire-event.ts';
import type { SentRequest } from '../../port/send-contract.ts';
import { withEnvelope } from '../../protocol/envelope.ts';
import { HEADER_MISMATCH } from '../../protocol/probe.ts';
import { resultTypeOf } from '../../protocol/result-type.ts';
import type { Link, WriteRequest } from '../link.ts';
import type { Response } from './own-request.ts';
import type { Requests } from './requests.ts';
import {
  askedBy,
  completeRounds,
  type Call,
  type Round,
  type RoundsContext,
} from '../questions/rounds.ts';
import { createTaskQuestions } from '../questions/task-questions.ts';
import type { ToolHeaders } from './tool-headers.ts';

/** No request is waited for longer than this, progress or not. */
const HARD_LIMIT_MS = 10 * 60_000;
/** These are open for as long as they are wanted. */
const TASKS = 'io.modelcontextprotocol/tasks';
const UNLIMITED = new Set(['subscriptions/listen', 'tasks/result']);

export interface CallsContext {
  requests: Requests;
  tools: ToolHeaders;
  link(): Link;
  write: WriteRequest;
  capabilities(): { extensions?: object };
  idleTimeoutMs: number;
  signal: AbortSignal;
  ask: RoundsContext['ask'];
  givenUp: RoundsContext['givenUp'];
  /** One more message of ours. */
  sent(): void;
}

/** The user's requests, and what has to be sent after them to bring them to their end. */
export interface Calls {
  /** Resolves with the last response; rejects with an `AppError` when there will be none. */
  call(call: Call, links: RequestLinks, started?: (sent: SentRequest) => void): Promise<Response>;
  /** A task as the server tells of it by itself: what it asks for needs answers. */
  heedTask(described: unknown): void;
}

/** In the legacy eras a call is one request; in the modern one it may take several. */
export function createCalls(context: CallsContext): Calls {
  const { requests, tools, link, write } = context;

  async function once(
    call: Call,
    links: RequestLinks,
    started?: (sent: SentRequest) => void,
  ): Promise<Round> {
    const { method, headers, idleTimeoutMs = context.idleTimeoutMs } = call;
    let carrierId = '';
    context.sent();
    const limits = UNLIMITED.has(method)
      ? {}
      : {
          idle: { kind: 'idle', durationMs: idleTimeoutMs } as const,
          hardLimitMs: HARD_LIMIT_MS,
        };
    const response = await requests.send(method, paramsOf(call), {
      ...limits,
      links,
      headers,
      started(sent) {
        carrierId = sent.carrierId;
        started?.(sent);
      },
    });
    if (method === 'tools/list') tools.learn(response);
    if (response.kind !== 'result' || link().era === 'legacy') return { response, carrierId };
    const { result } = response;
    if (method === 'tasks/get') heedTask(result, carrierId);
    else if (resultTypeOf(result) === 'task') heedTask(result, carrierId, askedBy(call).target);
    return { response, carrierId };
  }

  const heedTask = createTaskQuestions({
    ask: context.ask,
    update: (paramsText) => once({ method: 'tasks/update', paramsText }, {}),
  });

  /** Who speaks of a task has to declare the extension, besides all that is always declared (2026-07-28). */
  function paramsOf({ method, paramsText, asTask }: Call): string | undefined {
    const isAboutTasks = asTask === true || method.startsWith('tasks/');
    if (!isAboutTasks || link().era === 'legacy') return paramsText;
    const declared = context.capabilities();
    const extensions = { ...declared.extensions, [TASKS]: {} };
    return withEnvelope(paramsText, { clientCapabilities: { ...declared, extensions } });
  }

  /** A tool whose annotations were not known, or have changed: its list tells, and one repeat is due. */
  async function mirrored(call: Call, round: Round): Promise<Round> {
    const { response, carrierId } = round;
    const isMismatch = response.kind === 'error' && response.code === HEADER_MISMATCH;
    const tool = toolOf(call);
    if (!isMismatch || tool === undefined) return round;
    const before = written(call);
    try {
      await tools.find(tool, async (cursor) => {
        const paramsText = cursor === undefined ? undefined : JSON.stringify({ cursor });
        const links = { causedBy: carrierId, reason: 'headers' };
        return (await once({ method: 'tools/list', paramsText }, links)).response;
      });
    } catch {
      // The list has a row of its own that tells; what the call was answered with still holds.
      return round;
    }
    if (written(call) === before) return round;
    return once(call, { retryOf: carrierId, attempt: 2, reason: 'headers' });
  }

  function written({ method, paramsText }: Call): string {
    return JSON.stringify(write('modern', method, paramsText).headers);
  }

  async function round(call: Call, links: RequestLinks, started?: (sent: SentRequest) => void) {
    const answered = await once(call, links, started);
    return link().era === 'modern' ? mirrored(call, answered) : answered;
  }

  return {
    async call(call, links, started) {
      const first = await round(call, links, started);
      if (link().era === 'legacy') return first.response;
      const { signal, ask, givenUp } = context;
      return completeRounds(call, first, { signal, ask, givenUp, send: round });
    },
    heedTask: (described) => heedTask(described, ''),
  };
}

function toolOf({ method, paramsText }: Call): string | undefined {
  if (method !== 'tools/call' || paramsText === undefined) return undefined;
  try {
    const params = JSON.parse(paramsText) as { name?: unknown } | null;
    return typeof params?.name === 'string' ? params.name : undefined;
  } catch {
    return undefined;
  }
}
