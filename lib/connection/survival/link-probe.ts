import { toProblem, type Problem } from '../../errors.ts';
import type { ProbeCause } from '../../capture/connection-fact.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import { isSubscription } from './subscribe-again.ts';
import type { Health } from './health.ts';
import type { Links } from '../links.ts';
import type { Renewal } from './renewal.ts';
import type { Requests } from '../requests/requests.ts';
import type { Session } from './session.ts';
import type { SummaryKeeper } from '../summary.ts';

/** A server that is there answers within this time, in milliseconds. */
const PATIENCE_MS = 5000;

/** What is open, and not known to be so. Never rejects. */
export type ProbeLink = (cause: ProbeCause) => Promise<void>;

export interface LinkProbeContext {
  links: Links;
  requests: Requests;
  health: Health;
  renewal: Renewal;
  session: Session;
  /** Ends with the connection. */
  signal: AbortSignal;
  summary: SummaryKeeper;
  /** The one channel of a transport is gone. */
  lost(problem: Problem): void;
  record(fact: WireFact): void;
}

/**
 * Asks the server once whether it is still there, after a time in which nobody could tell: by `ping`, or by
 * `server/discover` in the modern era, which has no ping. One question stands for all that is open.
 */
export function createLinkProbe(context: LinkProbeContext): ProbeLink {
  const { links, requests, health, renewal, session, record } = context;
  let underWay: Promise<void> | undefined;

  async function probe(cause: ProbeCause): Promise<void> {
    const { transport, era } = links.current;
    const streams = openStreams();
    const { state } = context.summary.current;
    const isUp = state === 'connected' || state === 'lost';
    // What was wrong with the link is over; whether it works is asked now.
    if (state === 'lost' && cause === 'permission') context.summary.setState(state);
    // A handshake proves the link by itself.
    if (!isUp || renewal.isUnderWay) return;
    const { hasGivenUp } = session;
    if (streams === 0 && state === 'connected' && !hasGivenUp) return;
    const method = era === 'modern' ? 'server/discover' : 'ping';
    const { sessionId } = transport;
    let carrierId = '';
    context.summary.count();
    try {
      await requests.send(method, undefined, {
        idle: { kind: 'idle', durationMs: PATIENCE_MS },
        isQuiet: true,
        links: { reason: cause },
        started: (sent) => (carrierId = sent.carrierId),
      });
      tell(undefined);
      health.found();
      if (hasGivenUp) void session.listen();
    } catch (error) {
      const problem = toProblem(error);
      const isReplaced = links.current.transport !== transport;
      // Whoever ended the probe knows better.
      if (context.signal.aborted || isReplaced || OVERTAKEN.has(problem.code)) return;
      tell(problem);
      if (problem.code === 'http-session-ended') await renewal.renew(sessionId);
      else if (isLoss(problem)) lose(problem, method);
    }

    function tell(problem: Problem | undefined): void {
      const isLost = problem !== undefined && isLoss(problem);
      const verdict = !isLost ? 'answered' : problem.code === 'deadline' ? 'silent' : 'failed';
      const isModernHttp = era === 'modern' && transport.kind === 'streamable-http';
      record({
        kind: 'link-probed',
        cause,
        carrierId,
        verdict,
        streams,
        isKept: !isLost || isModernHttp,
        ...(isModernHttp && streams > 0 ? { note: UNPROBED } : {}),
        ...(hasGivenUp && !isLost ? { note: LISTENS_AGAIN } : {}),
      });
    }
  }

  function openStreams(): number {
    const { transport, era } = links.current;
    if (transport.kind !== 'streamable-http') return 1;
    if (era === 'modern') return requests.open().filter(isSubscription).length;
    const { standalone, answers } = transport.streams ?? { answers: new Map() };
    return answers.size + (standalone === undefined ? 0 : 1);
  }

  function lose(problem: Problem, method: string): void {
    const { transport, era } = links.current;
    if (transport.kind !== 'streamable-http') {
      void transport.close(problem);
      return context.lost(problem);
    }
    // A server that is only slow is not gone.
    health.doubt(problem);
    if (era === 'legacy') transport.drop?.(`\`${method}\` went unanswered: ${problem.message}`);
  }

  return (cause) => {
    underWay ??= probe(cause).finally(() => (underWay = undefined));
    return underWay;
  };
}

const OVERTAKEN = new Set<Problem['code']>(['aborted', 'not-connected']);

const LISTENS_AGAIN = 'the GET stream that had been given up is opened again';

const UNPROBED =
  'nothing in 2026-07-28 probes a stream, so one that is silent may be broken all the same';

/** An answer of whatever kind shows that the server is there. */
function isLoss({ code }: Problem): boolean {
  return code === 'deadline' || code === 'stream-cut' || code.startsWith('network-');
}
