import { toProblem, type Problem } from '../../errors.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import type { ServerQuestion } from '../../port/contract.ts';
import type { Calls } from '../requests/calls.ts';
import type { ConnectionCheckpoint, OpenRequest } from './checkpoint.ts';
import type { Health } from './health.ts';
import type { Links } from '../links.ts';
import type { Profile } from '../profile.ts';
import type { Renewal } from './renewal.ts';
import type { Requests } from '../requests/requests.ts';
import type { ServerRequests } from '../questions/server-requests.ts';
import type { Session } from './session.ts';
import { isSubscription, subscribeAgain } from './subscribe-again.ts';

export interface ReviveContext {
  profile: Profile;
  links: Links;
  requests: Requests;
  serverRequests: ServerRequests;
  calls: Calls;
  session: Session;
  renewal: Renewal;
  health: Health;
  /** Tries to connect again as often as the profile allows. */
  again(problem: Problem): Promise<boolean>;
  problem(): Problem | undefined;
  reveal(fingerprint: string): string | undefined;
  record(fact: WireFact): void;
}

const STOPPED = 'The browser had stopped the background of Wirescope.';

/**
 * Goes on with a connection of an earlier life of the worker; `awayMs` is how long that has been over. Streams
 * are taken up again, subscriptions made again, single channels opened again. What may have side effects is
 * never repeated. The first fact says what goes on and what is lost. Resolves when all that goes on is under
 * way, so that a later checkpoint knows of it.
 */
export async function revive(
  context: ReviveContext,
  checkpoint: ConnectionCheckpoint,
  awayMs: number,
): Promise<void> {
  const { links, requests } = context;
  const { transport, era, requests: open } = checkpoint;
  const link = links.use(transport, era);
  requests.continueFrom(checkpoint.nextId);
  if (era === 'legacy') link.transport.protocolVersion = checkpoint.revision;
  if (transport === 'streamable-http' && era === 'legacy') {
    return reviveSession(context, checkpoint, awayMs);
  }
  const subscriptions = era === 'modern' ? open.filter(isSubscription) : [];
  const lost = open.filter((request) => !subscriptions.includes(request));
  tell(context, checkpoint, { awayMs, resumed: carriers(subscriptions), lost });
  // One channel for all: what it carried went with it.
  if (transport !== 'streamable-http' && !(await connectAgain(context, STOPPED))) return;
  subscribeAgain(context.calls, subscriptions, 'restart');
}

async function reviveSession(
  context: ReviveContext,
  checkpoint: ConnectionCheckpoint,
  awayMs: number,
): Promise<void> {
  const { links, requests, serverRequests, session, health, profile, reveal } = context;
  const { stream, requests: open } = checkpoint;
  const { transport } = links.current;
  transport.sessionId = checkpoint.session === undefined ? undefined : reveal(checkpoint.session);
  const isForgotten = checkpoint.session !== undefined && transport.sessionId === undefined;
  if (isForgotten || checkpoint.isShaking === true) {
    tell(context, checkpoint, { awayMs, resumed: [], lost: open });
    await connectAgain(context, isForgotten ? 'The session id is no longer held.' : STOPPED);
    return;
  }
  const resumed = open.filter(({ position }) => position !== undefined);
  const lost = open.filter(({ position }) => position === undefined);
  const listens = profile.openStream && stream !== undefined;
  const goesOn = [...carriers(resumed), ...(listens ? [stream.httpId] : [])];
  const kept = standing(checkpoint);
  tell(context, checkpoint, { awayMs, resumed: goesOn, lost, kept });
  transport.skip?.(checkpoint.askingIds ?? []);
  for (const question of kept) serverRequests.restore(question);
  if (listens) void session.listen(stream);
  for (const { position, ...request } of resumed) {
    if (position === undefined) continue;
    const waitMs = Math.max(0, (position.retryMs ?? 0) - awayMs);
    requests
      .resume(request, (message) => transport.resume?.(message, position, waitMs))
      .then(
        () => health.found(),
        (error: unknown) => health.doubt(toProblem(error)),
      );
  }
}

/** A handshake that fails is tried again, as after any other loss of the channel. */
async function connectAgain(context: ReviveContext, cause: string): Promise<boolean> {
  if (await context.renewal.startAnew(cause)) return true;
  const problem = context.problem();
  return problem !== undefined && context.again(problem);
}

interface Revival {
  awayMs: number;
  /** What carries what goes on. */
  resumed: string[];
  lost: readonly OpenRequest[];
  /** What the server asked can be answered only in the session in which it did. */
  kept?: readonly ServerQuestion[];
}

function tell(
  { record }: ReviveContext,
  { questions = [] }: ConnectionCheckpoint,
  { awayMs, resumed, lost, kept = [] }: Revival,
): void {
  record({
    kind: 'connection-revived',
    awayMs,
    resumed,
    lost: carriers(lost),
    ...(questions.length === 0
      ? {}
      : {
          questions: {
            kept: kept.map(({ rpcId }) => rpcId),
            lost: questions.length - kept.length,
          },
        }),
  });
}

/** Requests of the server. What a result of ours has asked ended with those who waited for the answer. */
function standing({ questions = [] }: ConnectionCheckpoint): ServerQuestion[] {
  return questions.filter(({ askedBy }) => askedBy === undefined);
}

function carriers(requests: readonly OpenRequest[]): string[] {
  return requests.map(({ carrierId }) => carrierId);
}
