import { toProblem, type Problem } from '../errors.ts';
import type { RpcId } from '../capture/correlate/items.ts';
import type { CloseCause, ConnectPhase, RequestLinks, WireFact } from '../capture/wire-event.ts';
import type { ConnectionSummary, ServerAnswer } from '../port/contract.ts';
import type { SentRequest } from '../port/send-contract.ts';
import { ExchangeAbort, type ExchangeContext } from '../transport/exchange/exchange.ts';
import type { SocketDoor } from '../transport/websocket/socket-door.ts';
import { createAnswering } from './questions/answering.ts';
import { createCalls, type Calls } from './requests/calls.ts';
import { createCare, type Care } from './survival/care.ts';
import { checkpointOf, type ConnectionCheckpoint } from './survival/checkpoint.ts';
import { createConnecting, type Connecting } from './connect/connecting.ts';
import { endSession } from './survival/end-session.ts';
import type { EraCache } from './connect/era-cache.ts';
import { createHealth, type Health } from './survival/health.ts';
import { createIncoming } from './incoming.ts';
import { createWriter, type Client } from './link.ts';
import type { ProbeLink } from './survival/link-probe.ts';
import { createLinks, type Links } from './links.ts';
import type { Profile } from './profile.ts';
import { createRawSide, type RawSide } from './raw/raw-side.ts';
import { createRenewal, type Renewal } from './survival/renewal.ts';
import type { Call } from './questions/rounds.ts';
import { createSession, type Session } from './survival/session.ts';
import { createRequests, type Requests } from './requests/requests.ts';
import { createServerRequests, type ServerRequests } from './questions/server-requests.ts';
import { createSummary, type SummaryKeeper } from './summary.ts';
import { createToolHeaders } from './requests/tool-headers.ts';

export interface ConnectionOptions extends ExchangeContext {
  profile: Profile;
  socketDoor: SocketDoor;
  /** What earlier connections have found out; absent where nothing is to be remembered. */
  eras?: EraCache;
  /** Version of this extension, told to the server, or the client that is played. */
  client: Client;
  /** Fingerprint under which a secret is shown. */
  fingerprint(secret: string): string;
  /** The secret behind a fingerprint, while it is held. */
  reveal(fingerprint: string): string | undefined;
  now(): number;
  changed(): void;
}

/** A live link to one server: handshake, our requests, the server's requests, loss and recovery, and the end. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #links: Links;
  readonly #requests: Requests;
  readonly #serverRequests: ServerRequests;
  /** Ends with the connection; everything that it has under way hangs on it. */
  readonly #lifetime = new AbortController();
  readonly #renewal: Renewal;
  readonly #summary: SummaryKeeper;
  readonly #health: Health;
  readonly #calls: Calls;
  readonly #connect: Connecting;
  readonly #session: Session;
  readonly #care: Care;
  readonly raw: RawSide;

  constructor(options: ConnectionOptions) {
    const { profile, connectionId, recorder, now, changed } = options;
    this.#options = options;
    this.#summary = createSummary({ connectionId, url: profile.url }, now, changed);
    const { count } = this.#summary;
    const record = (fact: WireFact) => this.#record(fact);
    const { signal } = this.#lifetime;
    this.#health = createHealth(this.#summary, record);
    this.#links = createLinks(profile, options, {
      received: (payload, from) => receive(payload, from.replyTo),
      reached: () => this.#health.found('A stream was opened.'),
      lost: (problem, mayReconnect = true) => this.#care.lost(problem, mayReconnect),
    });
    const answering = createAnswering(this.#links, signal, record, count);
    const tools = createToolHeaders();
    const link = () => this.#links.current;
    const write = createWriter(options.client, () => capabilities(), tools);
    this.#requests = createRequests(connectionId, recorder, link, write);
    this.#serverRequests = createServerRequests({
      profile,
      now,
      changed: () => this.#summary.update({ questions: this.#serverRequests.questions }),
      send: answering.send,
    });
    this.#renewal = createRenewal({
      transport: () => this.#links.current.transport,
      signal,
      ended: (cause) => this.#session.ended(cause),
      establish: () => this.#establish(),
      failed: (problem) => this.#health.lose(problem),
    });
    const heedTask = (task: unknown) => this.#calls.heedTask(task);
    const receive = createIncoming(this.#requests, this.#serverRequests, link, count, heedTask);
    this.raw = createRawSide({ link, write, receive, signal, sent: count });
    const extra: Record<string, unknown> = {};
    const declared = () => profile.client?.capabilities ?? this.#serverRequests.capabilities;
    const capabilities = () => ({ ...declared(), ...extra });
    this.#connect = createConnecting(
      {
        requests: this.#requests,
        record,
        profile,
        client: options.client,
        capabilities,
        link,
        use: (kind, era) => this.#links.use(kind, era),
        declare: (insisted) => void Object.assign(extra, insisted),
        signal,
        phase: (phase) => this.#phase(phase),
        sent: count,
      },
      options.eras,
      now,
    );
    this.#calls = createCalls({
      requests: this.#requests,
      tools,
      link,
      write,
      idleTimeoutMs: profile.idleTimeoutMs,
      signal,
      sent: count,
      capabilities,
      ask: answering.through(this.#serverRequests),
      givenUp: (carrierId) => answering.note(carrierId, '', 'policy', true),
    });
    this.#session = createSession({
      links: this.#links,
      calls: this.#calls,
      requests: this.#requests,
      serverRequests: this.#serverRequests,
      health: this.#health,
      renewal: this.#renewal,
      renews: profile.renewSession,
      record,
    });
    this.#care = createCare({
      profile,
      connectionId,
      network: options.network,
      links: this.#links,
      requests: this.#requests,
      serverRequests: this.#serverRequests,
      calls: this.#calls,
      session: this.#session,
      renewal: this.#renewal,
      health: this.#health,
      signal,
      summary: this.#summary,
      reveal: options.reveal,
      record,
      lose: (problem) => this.lose(problem),
      fail: (error) => this.fail(error),
      close: (cause, terminate) => this.close(cause, terminate),
    });
  }

  get summary(): ConnectionSummary {
    return this.#summary.current;
  }

  /** What a later life of the worker would need; nothing before there is a connection, or after it. */
  get checkpoint(): ConnectionCheckpoint | undefined {
    const { rung } = this.#connect;
    const { isUnderWay } = this.#renewal;
    return this.#care.complete(
      checkpointOf(this.summary, rung, this.#links.current, this.#requests, isUnderWay),
    );
  }

  /** Goes on where an earlier life of the worker was cut off, or connects anew where nothing can go on. */
  revive(checkpoint: ConnectionCheckpoint | undefined, awayMs: number): Promise<void> {
    if (checkpoint === undefined) {
      this.#record({ kind: 'connection-revived', awayMs, resumed: [], lost: [], anew: true });
      return this.open();
    }
    this.#connect.rung = checkpoint.rung;
    return this.#care.revive(checkpoint, awayMs);
  }

  /** Asks the server once whether it is still there. */
  get probe(): ProbeLink {
    return this.#care.probe;
  }

  /** Connects. Never rejects: a failure is a state, with its problem in the summary and in the log. */
  async open(): Promise<void> {
    const { attach: existing } = this.#options.profile;
    try {
      await this.#establish(existing);
    } catch (error) {
      this.fail(error);
    }
  }

  async #establish(existing?: Profile['attach']): Promise<void> {
    const { profile, fingerprint } = this.#options;
    this.#lifetime.signal.throwIfAborted();
    const identity = await this.#connect.connect(existing);
    this.#lifetime.signal.throwIfAborted();
    const { transport, era } = this.#links.current;
    const { sessionId } = transport;
    this.#summary.update({
      ...identity,
      transport: transport.kind,
      era,
      ...(sessionId === undefined ? {} : { session: fingerprint(sessionId) }),
    });
    this.#summary.setState('connected');
    // With an event of its own, so that what a restart needs is stored with it, however idle the link is.
    this.#record({ kind: 'connection-phase', phase: 'ready' });
    const from = existing?.lastEventId === undefined ? {} : { lastEventId: existing.lastEventId };
    const mayListen = sessionId !== undefined || profile.client?.streamNeedsSession !== true;
    if (profile.openStream && mayListen) void this.#session.listen(from);
  }

  /** Sends a request of the user, after a handshake that is under way; resolves once it is on its way. */
  async send(call: Call, links: RequestLinks) {
    await this.#renewal.settled();
    this.#lifetime.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<SentRequest>();
    const session = this.#links.current.transport.sessionId;
    let sent: SentRequest | undefined;
    this.#calls
      .call(call, links, (request) => {
        sent = request;
        resolve(request);
      })
      .then(
        () => this.#health.found(),
        (error: unknown) => {
          // The row of the request tells; here it only matters what it says about the connection.
          reject(error);
          const problem = toProblem(error);
          if (problem.code !== 'http-session-ended') return this.#health.doubt(problem);
          const retry = { ...links, ...(sent === undefined ? {} : { retryOf: sent.carrierId }) };
          void this.#session.repeat(call, retry, session, problem);
        },
      );
    return promise;
  }

  /** Answers a request of the server that waits for the user. */
  answer(rpcId: RpcId, answer: ServerAnswer): void {
    this.#serverRequests.answer(rpcId, answer);
  }

  cancel(rpcId: RpcId): void {
    this.#requests.cancel(rpcId);
  }

  /** Closes for good: nothing is sent afterwards, and no timer is left. */
  async close(cause: CloseCause, terminate: boolean): Promise<void> {
    const { state } = this.#summary.current;
    if (state === 'closed' || state === 'closing') return;
    this.#summary.setState('closing');
    const ended = this.#endAll({ code: 'aborted', message: 'The connection was closed.' });
    const ends = terminate && this.#options.profile.client?.leavesSession !== true;
    if (ends && state !== 'failed' && this.#links.current.transport.sessionId !== undefined) {
      await endSession(this.#links.current.transport, (fact) => this.#record(fact));
    }
    await ended;
    this.#record({ kind: 'connection-closed', cause });
    this.#summary.setState('closed');
  }

  /** Ends an attempt to connect; the summary and the log say why. */
  fail(error: unknown): void {
    const problem = toProblem(error);
    const { state } = this.#summary.current;
    if (state === 'closing' || state === 'closed') return;
    this.#record({ kind: 'connection-failed', problem });
    void this.#endAll(problem);
    this.#summary.update({ state: 'failed', problem });
  }

  /** Reports that the connection cannot go on as it is; the next success, or its host allowed, makes it connected. */
  lose(problem: Problem, wanted: Pick<ConnectionSummary, 'hostPattern'> = {}): void {
    this.#summary.update({ state: 'lost', problem, ...wanted });
  }

  async #endAll(problem: Problem): Promise<void> {
    const abort = new ExchangeAbort('close', problem);
    this.#requests.abortAll(abort);
    this.#lifetime.abort(abort);
    this.#session.abort(abort);
    this.#serverRequests.clear();
    await this.#links.current.transport.close(problem);
  }

  #phase(phase: ConnectPhase): void {
    this.#record({ kind: 'connection-phase', phase });
    this.#summary.update({ phase, since: this.#options.now() });
  }

  #record(fact: WireFact): void {
    this.#options.recorder.record(fact, this.#options.connectionId);
  }
}
