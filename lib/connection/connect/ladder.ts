import { AppError, isAboutAccess, toProblem, type Problem } from '../../errors.ts';
import type { Era, Rung } from '../../capture/wire-event.ts';
import { isModernCode, UNSUPPORTED_VERSION } from '../../protocol/probe.ts';
import { NEWEST_LEGACY_REVISION } from '../../protocol/revisions.ts';
import type { KnownRung } from './era-cache.ts';
import { initialize, openTransport, type EstablishContext } from './establish.ts';
import type { ServerIdentity } from './handshake.ts';
import { probe, type Probe } from './probe.ts';

/** How a connection came about. */
export interface Established extends ServerIdentity {
  rung: Rung;
  era: Era;
  /** The rung above was not ruled out: the next time it is tried again. */
  isUnproven?: boolean;
}

/** A rung of which nothing came, for the report of the whole attempt. */
interface Miss {
  what: string;
  problem: Problem;
}

/** An old server answers so to a POST on its stream's URL (2026-07-28, "Backward Compatibility"). */
const NO_STREAMABLE_HTTP = new Set([400, 404, 405]);
const TRIES = {
  modern: '`server/discover`',
  'streamable-http': '`initialize`',
  'http-sse': 'HTTP+SSE',
  websocket: 'WebSocket',
} as const satisfies Record<Rung, string>;

/**
 * Climbs down the rungs that the profile leaves open, from the newest: `server/discover`, then `initialize`,
 * then the stream of HTTP+SSE. `known` is what an earlier climb has found. Rejects with an `AppError` whose
 * problem is the first one that was met; what came after stands in its detail.
 */
export async function climb(
  context: EstablishContext,
  known?: KnownRung,
  now: () => number = Date.now,
): Promise<Established> {
  switch (context.profile.transport) {
    case 'auto':
      return climbFrom(context, known, now);
    case 'modern':
      return insist(await tryModern(context));
    case 'streamable-http':
      return tryStreamable(context);
    case 'http-sse':
      return tryHttpSse(context);
    case 'websocket':
      return climbSocket(context);
  }
}

/** Connects again as before, on the same link: after a session or a channel has ended. */
export async function resume(context: EstablishContext, rung: Rung): Promise<Established> {
  const { link } = context;
  if (link().transport.kind === 'websocket') {
    return rung === 'modern' ? climbSocket(context) : trySocket(context);
  }
  if (rung === 'http-sse') return tryHttpSse(context);
  return rung === 'modern' ? insist(await tryModern(context)) : tryStreamable(context);
}

async function climbFrom(
  context: EstablishContext,
  known: KnownRung | undefined,
  now: () => number,
): Promise<Established> {
  if (known === undefined || known.rung === 'modern') return climbAll(context);
  const minutes = Math.round((now() - known.since) / 60_000);
  const reason = `known as legacy since ${minutes < 1 ? 'just now' : `${minutes} min`}: not probed`;
  skip(context, 'modern', reason);
  if (known.rung === 'http-sse') skip(context, 'streamable-http', reason);
  try {
    return await (known.rung === 'http-sse' ? tryHttpSse(context) : tryStreamable(context));
  } catch (error) {
    const problem = toProblem(error);
    const { code } = problem;
    // No answer proves nothing; any other one than expected means that the server has changed.
    if (code === 'aborted' || code === 'deadline' || code.startsWith('network-')) throw error;
    if (isAboutAccess(problem)) throw error;
    return climbAll(context);
  }
}

async function climbAll(context: EstablishContext): Promise<Established> {
  const misses: Miss[] = [];
  const modern = await tryModern(context);
  const { verdict } = modern;
  if (verdict.kind === 'modern' || verdict.kind === 'failed') return insist(modern);
  if (verdict.kind === 'undecided') misses.push({ what: TRIES.modern, problem: verdict.problem });
  const isUnproven = verdict.kind === 'undecided';
  try {
    const offer = verdict.kind === 'legacy' ? verdict.offer : undefined;
    return { ...(await tryStreamable(context, offer)), isUnproven };
  } catch (error) {
    const problem = rethrowAborted(error);
    misses.push({ what: TRIES['streamable-http'], problem });
    if (isModernRefusal(problem)) {
      const again = await tryModern(context);
      if (again.verdict.kind === 'modern') return insist(again);
    }
    if (!mayBeHttpSse(problem)) throw missed(misses);
  }
  try {
    return { ...(await tryHttpSse(context)), isUnproven };
  } catch (error) {
    misses.push({ what: TRIES['http-sse'], problem: rethrowAborted(error) });
    throw missed(misses);
  }
}

/** One channel, so one socket for both eras, unless the server closes it on what it does not know. */
async function climbSocket(context: EstablishContext): Promise<Established> {
  context.use('websocket', 'modern');
  const modern = await onRung(context, 'modern', async (started) => {
    await openTransport(context, started);
    return probeOn(context, started);
  });
  const { verdict } = modern;
  if (verdict.kind === 'modern') return insist(modern);
  const isClosed = verdict.kind === 'failed' && verdict.problem.code.startsWith('socket-');
  if (verdict.kind === 'failed' && !isClosed) return insist(modern);
  const offer = verdict.kind === 'legacy' ? verdict.offer : undefined;
  try {
    return await trySocket(context, offer, !isClosed);
  } catch (error) {
    if (!isModernRefusal(toProblem(error))) throw error;
    const again = await tryModern(context, 'websocket');
    if (again.verdict.kind === 'modern') return insist(again);
    throw error;
  }
}

/** It refuses the handshake as only a modern server does: one switch back, and no more. */
function isModernRefusal({ answer }: Problem): boolean {
  return answer?.rpcCode === UNSUPPORTED_VERSION;
}

function trySocket(
  context: EstablishContext,
  offer?: string,
  isOpen = false,
): Promise<Established> {
  context.use('websocket', 'legacy');
  return onRung(context, 'websocket', async (started) => {
    if (!isOpen) await openTransport(context, started);
    return legacy('websocket', await initialize(context, offered(context, offer), started));
  });
}

async function tryModern(
  context: EstablishContext,
  kind: 'streamable-http' | 'websocket' = 'streamable-http',
): Promise<Probe> {
  context.use(kind, 'modern');
  return onRung(context, 'modern', (started) => probeOn(context, started));
}

function tryStreamable(context: EstablishContext, offer?: string): Promise<Established> {
  context.use('streamable-http', 'legacy');
  return onRung(context, 'streamable-http', async (started) =>
    legacy('streamable-http', await initialize(context, offered(context, offer), started)),
  );
}

function tryHttpSse(context: EstablishContext): Promise<Established> {
  context.use('http-sse', 'legacy');
  return onRung(context, 'http-sse', async (started) => {
    await openTransport(context, started);
    return legacy('http-sse', await initialize(context, offered(context), started));
  });
}

function probeOn(context: EstablishContext, started: (carrierId: string) => void): Promise<Probe> {
  const { kind } = context.link().transport;
  context.phase('discover');
  return probe({ ...context, kind, started });
}

/** Tries a rung, with what is tried and what came of it in the log. */
async function onRung<Outcome extends Established | Probe>(
  context: EstablishContext,
  rung: Rung,
  attempt: (started: (carrierId: string) => void) => Promise<Outcome>,
): Promise<Outcome> {
  const evidence: string[] = [];
  context.record({ kind: 'rung-started', rung });
  try {
    const outcome = await attempt((carrierId) => {
      if (!evidence.includes(carrierId)) evidence.push(carrierId);
    });
    context.record({ kind: 'rung-judged', rung, ...judgement(outcome), evidence });
    const established = establishedBy(outcome);
    if (established !== undefined) choose(context, established, evidence);
    return outcome;
  } catch (error) {
    const problem = toProblem(error);
    const verdict = mayBeHttpSse(problem) ? 'not-this' : 'failed';
    const reason = shortReason(problem);
    context.record({ kind: 'rung-judged', rung, verdict, reason, evidence });
    throw error;
  }
}

function judgement(outcome: Established | Probe) {
  if (!isProbe(outcome)) {
    return { verdict: 'chosen', reason: `${outcome.era} ${outcome.revision}` } as const;
  }
  const { kind, reason } = outcome.verdict;
  switch (kind) {
    case 'modern':
      return { verdict: 'chosen', reason } as const;
    case 'legacy':
      return { verdict: 'not-this', reason } as const;
    case 'undecided':
      return { verdict: 'undecided', reason } as const;
    case 'failed':
      return { verdict: 'failed', reason } as const;
  }
}

function isProbe(outcome: Established | Probe): outcome is Probe {
  return 'verdict' in outcome;
}

function choose(context: EstablishContext, established: Established, evidence: string[]): void {
  const { rung: _rung, ...chosen } = established;
  const transport = context.link().transport.kind;
  context.record({ kind: 'connection-chosen', transport, ...chosen, evidence });
}

function skip({ record }: EstablishContext, rung: Rung, reason: string): void {
  record({ kind: 'rung-judged', rung, verdict: 'skipped', reason, evidence: [] });
}

function offered({ profile }: EstablishContext, listed?: string): string {
  return profile.offerRevision ?? listed ?? NEWEST_LEGACY_REVISION;
}

function legacy(rung: Rung, identity: ServerIdentity): Established {
  return { ...identity, rung, era: 'legacy' };
}

function establishedBy(outcome: Established | Probe): Established | undefined {
  if (!isProbe(outcome)) return outcome;
  const { identity } = outcome;
  return identity === undefined ? undefined : { ...identity, rung: 'modern', era: 'modern' };
}

/** Where nothing below the modern rung is to be tried. */
function insist(modern: Probe): Established {
  const established = establishedBy(modern);
  if (established !== undefined) return established;
  const { verdict } = modern;
  if ('problem' in verdict) throw new AppError(verdict.problem);
  throw new AppError({
    code: 'protocol-version',
    message: `The server does not speak revision 2026-07-28: ${verdict.reason}.`,
    advice: 'Choose Automatic, or Streamable HTTP of the legacy revisions.',
  });
}

/** Whether a refused `initialize` may come from a server of HTTP+SSE, and from no modern one. */
function mayBeHttpSse({ code, answer, isHttpSse }: Problem): boolean {
  if (isHttpSse === true) return true;
  if (answer?.status === undefined || !code.startsWith('http-')) return false;
  return NO_STREAMABLE_HTTP.has(answer.status) && !isModernCode(answer.rpcCode);
}

function missed([first, ...others]: Miss[]): AppError {
  if (first === undefined)
    throw new Error('a climb that ends without a miss has reached something');
  const lines = others.map(({ what, problem }) => `Then ${what}: ${problem.message}`);
  const detail = [first.problem.detail, ...lines].filter((line) => line !== undefined).join('\n');
  return new AppError(detail === '' ? first.problem : { ...first.problem, detail });
}

function rethrowAborted(error: unknown): Problem {
  const problem = toProblem(error);
  if (problem.code === 'aborted') throw error;
  return problem;
}

function shortReason({ code, answer, message, isHttpSse }: Problem): string {
  if (isHttpSse === true) return 'answered with an `endpoint` event, which hints at HTTP+SSE';
  if (answer?.status !== undefined) return `answered ${answer.status}`;
  return code === 'deadline' ? 'no answer in time' : message;
}
