import { toProblem } from '../../errors.ts';
import type { RequestLinks } from '../../capture/wire-event.ts';
import type { TransportKind } from '../../capture/store/stored-profile.ts';
import { judgeProbeFailure, judgeProbeResponse, type ProbeVerdict } from '../../protocol/probe.ts';
import type { Response } from '../requests/own-request.ts';
import type { Requests } from '../requests/requests.ts';
import { readDiscoverResult, type ServerIdentity } from './handshake.ts';

/** Over HTTP a server answers, or it does not; milliseconds. */
const HTTP_MS = 10_000;
/** On a shared channel a legacy server may say nothing to a method that it does not know. */
const SOCKET_MS = 2000;

export interface Probe {
  verdict: Exclude<ProbeVerdict, { kind: 'again' }>;
  /** Where the verdict is `modern`. */
  identity?: ServerIdentity;
}

export interface ProbeContext {
  requests: Requests;
  kind: TransportKind;
  /** Adds to what the requests of this connection declare. */
  declare(capabilities: Record<string, unknown>): void;
  sent(): void;
  started(carrierId: string): void;
}

/**
 * Asks a server for its era by `server/discover`, which no server mistakes for anything else (2026-07-28,
 * basic/versioning, "Backward Compatibility"). A modern server that is not content is asked once more. Rejects
 * only where the attempt was ended.
 */
export async function probe(context: ProbeContext): Promise<Probe> {
  const first = await ask(context, {});
  if (first.verdict.kind !== 'again') return { ...first, verdict: first.verdict };
  const { capabilities, repeat } = first.verdict;
  context.declare(capabilities);
  const second = await ask(context, { retryOf: first.carrierId, attempt: 2, reason: repeat });
  const { verdict } = second;
  if (verdict.kind !== 'again') return { ...second, verdict };
  return { verdict: { kind: 'failed', reason: verdict.reason, problem: verdict.problem } };
}

async function ask(
  context: ProbeContext,
  links: RequestLinks,
): Promise<{ verdict: ProbeVerdict; identity?: ServerIdentity; carrierId: string }> {
  const isShared = context.kind !== 'streamable-http';
  let carrierId = '';
  let response: Response;
  try {
    context.sent();
    response = await context.requests.send('server/discover', undefined, {
      idle: { kind: 'connect', durationMs: isShared ? SOCKET_MS : HTTP_MS },
      links,
      started(sent) {
        carrierId = sent.carrierId;
        context.started(carrierId);
      },
    });
  } catch (error) {
    const problem = toProblem(error);
    if (problem.code === 'aborted') throw error;
    if (isShared && problem.code === 'deadline') {
      return { verdict: { kind: 'legacy', reason: 'no answer to `server/discover`' }, carrierId };
    }
    return { verdict: judgeProbeFailure(problem), carrierId };
  }
  const verdict = judgeProbeResponse(response);
  if (verdict.kind !== 'modern' || response.kind !== 'result') return { verdict, carrierId };
  return { verdict, identity: readDiscoverResult(response, verdict.revision), carrierId };
}
