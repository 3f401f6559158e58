import type { RequestLinks } from '../capture/wire-event.ts';
import type { SentRequest } from '../port/send-contract.ts';
import { HEADER_MISMATCH } from '../protocol/probe.ts';
import type { Link, WriteRequest } from './link.ts';
import type { Response } from './own-request.ts';
import type { Requests } from './requests.ts';
import { completeRounds, type Call, type Round, type RoundsContext } from './rounds.ts';
import type { ToolHeaders } from './tool-headers.ts';

/** No request is waited for longer than this, progress or not. */
const HARD_LIMIT_MS = 10 * 60_000;
/** These are open for as long as they are wanted. */
const UNLIMITED = new Set(['subscriptions/listen', 'tasks/result']);

export interface CallsContext {
  requests: Requests;
  tools: ToolHeaders;
  link(): Link;
  write: WriteRequest;
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
}

/** In the legacy eras a call is one request; in the modern one it may take several. */
export function createCalls(context: CallsContext): Calls {
  const { requests, tools, link, write } = context;

  async function once(
    { method, paramsText, headers, idleTimeoutMs = context.idleTimeoutMs }: Call,
    links: RequestLinks,
    started?: (sent: SentRequest) => void,
  ): Promise<Round> {
    let carrierId = '';
    context.sent();
    const limits = UNLIMITED.has(method)
      ? {}
      : {
          idle: { kind: 'idle', durationMs: idleTimeoutMs } as const,
          hardLimitMs: HARD_LIMIT_MS,
        };
    const response = await requests.send(method, paramsText, {
      ...limits,
      links,
      headers,
      started(sent) {
        carrierId = sent.carrierId;
        started?.(sent);
      },
    });
    if (method === 'tools/list') tools.learn(response);
    return { response, carrierId };
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
