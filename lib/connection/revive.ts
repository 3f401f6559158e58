import { toProblem } from '../errors.ts';
import type { WireFact } from '../capture/wire-event.ts';
import type { Calls } from './calls.ts';
import type { ConnectionCheckpoint, OpenRequest } from './checkpoint.ts';
import type { Health } from './health.ts';
import type { Links } from './links.ts';
import type { Profile } from './profile.ts';
import type { Renewal } from './renewal.ts';
import type { Requests } from './requests.ts';
import type { Session } from './session.ts';

export interface ReviveContext {
  profile: Profile;
  links: Links;
  requests: Requests;
  calls: Calls;
  session: Session;
  renewal: Renewal;
  health: Health;
  reveal(fingerprint: string): string | undefined;
  record(fact: WireFact): void;
}

const STOPPED = 'The browser had stopped the background of Wirescope.';

/**
 * Goes on with a connection of an earlier life of the worker; `awayMs` is how long that has been over. Streams
 * are taken up again, subscriptions made again, single channels opened again. What may have side effects is
 * never repeated. The first fact says what goes on and what is lost.
 */
export function revive(
  context: ReviveContext,
  checkpoint: ConnectionCheckpoint,
  awayMs: number,
): void {
  const { links, requests, record } = context;
  const { transport, era, requests: open } = checkpoint;
  const link = links.use(transport, era);
  requests.continueFrom(checkpoint.nextId);
  if (era === 'legacy') link.transport.protocolVersion = checkpoint.revision;
  if (transport === 'streamable-http' && era === 'legacy') {
    return reviveStreams(context, checkpoint, awayMs);
  }
  const subscriptions = era === 'modern' ? open.filter(isSubscription) : [];
  const lost = open.filter((request) => !subscriptions.includes(request));
  record({
    kind: 'connection-revived',
    awayMs,
    resumed: carriers(subscriptions),
    lost: carriers(lost),
  });
  if (transport === 'streamable-http') return subscribeAgain(context, subscriptions);
  // One channel for all: what it carried went with it.
  void context.renewal.startAnew(STOPPED).then((isBack) => {
    if (isBack) subscribeAgain(context, subscriptions);
  });
}

function reviveStreams(
  context: ReviveContext,
  checkpoint: ConnectionCheckpoint,
  awayMs: number,
): void {
  const { links, requests, session, health, profile, record, reveal } = context;
  const { stream, requests: open } = checkpoint;
  const { transport } = links.current;
  transport.sessionId = checkpoint.session === undefined ? undefined : reveal(checkpoint.session);
  const isForgotten = checkpoint.session !== undefined && transport.sessionId === undefined;
  if (isForgotten) {
    record({ kind: 'connection-revived', awayMs, resumed: [], lost: carriers(open) });
    void context.renewal.startAnew('The session id is no longer held.');
    return;
  }
  const resumed = open.filter(({ position }) => position !== undefined);
  const lost = open.filter(({ position }) => position === undefined);
  const listens = profile.openStream && stream !== undefined;
  record({
    kind: 'connection-revived',
    awayMs,
    resumed: [...carriers(resumed), ...(listens ? [stream.httpId] : [])],
    lost: carriers(lost),
  });
  if (listens) void session.listen(stream);
  for (const { position, ...request } of resumed) {
    if (position === undefined) continue;
    const waitMs = Math.max(0, (position.retryMs ?? 0) - awayMs);
    requests
      .resume(request, (message) => transport.resume?.(message, position, waitMs))
      .then(health.found, (error: unknown) => health.doubt(toProblem(error)));
  }
}

function subscribeAgain({ calls }: ReviveContext, subscriptions: OpenRequest[]): void {
  for (const { method, paramsText, carrierId } of subscriptions) {
    calls
      .call({ method, paramsText }, { retryOf: carrierId, attempt: 2, reason: 'restart' })
      // Its row tells how it ended.
      .catch(() => undefined);
  }
}

function isSubscription({ method }: OpenRequest): boolean {
  return method === 'subscriptions/listen';
}

function carriers(requests: readonly OpenRequest[]): string[] {
  return requests.map(({ carrierId }) => carrierId);
}
