import { toProblem, type Problem } from '../errors.ts';
import type { RpcId } from '../capture/items.ts';
import type { CloseCause, ConnectPhase, RequestLinks, WireFact } from '../capture/wire-event.ts';
import type { ConnectionSummary, SentRequest, ServerAnswer } from '../port/contract.ts';
import { mayRepeat } from '../protocol/methods.ts';
import { ExchangeAbort, type ExchangeContext } from '../transport/exchange.ts';
import type { SocketDoor } from '../transport/socket-door.ts';
import type { Transport } from '../transport/transport.ts';
import { createTransport } from './create-transport.ts';
import { endSession } from './end-session.ts';
import { attach, establish, type EstablishContext } from './establish.ts';
import { createIncoming } from './incoming.ts';
import type { Profile } from './profile.ts';
import { createRecovery } from './recovery.ts';
import { createRenewal, type Renewal } from './renewal.ts';
import { createRequests, type Requests, type Response } from './requests.ts';
import { createServerRequests, type ServerRequests } from './server-requests.ts';
import { createSummary, type SummaryKeeper } from './summary.ts';

/** No request is waited for longer than this, progress or not. */
const HARD_LIMIT_MS = 10 * 60_000;

export interface ConnectionOptions extends ExchangeContext {
  profile: Profile;
  socketDoor: SocketDoor;
  /** Version of this extension, told to the server. */
  clientVersion: string;
  /** Fingerprint under which a secret is shown. */
  fingerprint(secret: string): string;
  now(): number;
  changed(): void;
}

/** A live link to one server: handshake, our requests, the server's requests, loss and recovery, and the end. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #transport: Transport;
  readonly #requests: Requests;
  readonly #serverRequests: ServerRequests;
  /** Ends with the connection; everything that it has under way hangs on it. */
  readonly #lifetime = new AbortController();
  /** Ends with the session. */
  #listening = new AbortController();
  readonly #renewal: Renewal;
  readonly #summary: SummaryKeeper;

  constructor(options: ConnectionOptions) {
    const { profile, connectionId, recorder, now, changed } = options;
    this.#options = options;
    this.#summary = createSummary({ connectionId, url: profile.url }, now, changed);
    this.#transport = createTransport(profile, options, {
      received: (payload, from) => receive(payload, from.replyTo),
      lost: (problem, mayReconnect = true) => void recover(problem, mayReconnect),
    });
    this.#requests = createRequests(connectionId, recorder, () => this.#transport);
    this.#serverRequests = createServerRequests({
      policies: profile.answers,
      now,
      changed: () => this.#summary.update({ questions: this.#serverRequests.questions }),
      send: (text, request, by) => this.#sendAnswer(text, request, by),
    });
    this.#renewal = createRenewal({
      transport: this.#transport,
      signal: this.#lifetime.signal,
      ended: (cause) => this.#sessionEnded(cause),
      establish: () => this.#establish(),
      failed: (problem) => this.#doubt(problem, true),
    });
    const recover = createRecovery({
      connectionId,
      reconnection: profile.reconnection,
      signal: this.#lifetime.signal,
      connection: this,
      record: (fact) => this.#record(fact),
      abortRequests: (problem) => this.#requests.abortAll(new ExchangeAbort('close', problem)),
      startAnew: this.#renewal.startAnew,
    });
    const receive = createIncoming(this.#requests, this.#serverRequests, this.#summary.count);
  }

  get summary(): ConnectionSummary {
    return this.#summary.current;
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
    const { recorder, connectionId, profile, clientVersion, fingerprint } = this.#options;
    this.#lifetime.signal.throwIfAborted();
    const context: EstablishContext = {
      transport: this.#transport,
      requests: this.#requests,
      recorder,
      connectionId,
      profile,
      clientVersion,
      capabilities: this.#serverRequests.capabilities,
      ...(this.summary.era === undefined ? {} : { knownEra: this.summary.era }),
      signal: this.#lifetime.signal,
      phase: (phase) => this.#phase(phase),
      sent: () => this.#summary.count(),
    };
    const identity =
      existing === undefined ? await establish(context) : await attach(context, existing);
    this.#lifetime.signal.throwIfAborted();
    const { kind, sessionId } = this.#transport;
    this.#summary.update({
      ...identity,
      transport: kind,
      era: 'legacy',
      ...(sessionId === undefined ? {} : { session: fingerprint(sessionId) }),
    });
    this.#summary.setState('connected');
    if (profile.openStream) void this.#listen(existing?.lastEventId);
  }

  /** Sends a request of the user, after a handshake that is under way; resolves once it is on its way. */
  async send(method: string, paramsText: string | undefined, links: RequestLinks) {
    await this.#renewal.settled();
    this.#lifetime.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<SentRequest>();
    const session = this.#transport.sessionId;
    let sent: SentRequest | undefined;
    this.#request(method, paramsText, links, (request) => {
      sent = request;
      resolve(request);
    }).then(
      () => this.#found(),
      (error: unknown) => {
        // The row of the request tells; here it only matters what it says about the connection.
        reject(error);
        const problem = toProblem(error);
        if (problem.code !== 'http-session-ended') return this.#doubt(problem);
        const retry = { ...links, ...(sent === undefined ? {} : { retryOf: sent.carrierId }) };
        void this.#repeatInNewSession(method, paramsText, retry, session, problem);
      },
    );
    return promise;
  }

  #request(
    method: string,
    paramsText: string | undefined,
    links: RequestLinks,
    started?: (request: SentRequest) => void,
  ): Promise<Response> {
    this.#summary.count();
    return this.#requests.send(method, paramsText, {
      idle: { kind: 'idle', durationMs: this.#options.profile.idleTimeoutMs },
      hardLimitMs: HARD_LIMIT_MS,
      links,
      ...(started === undefined ? {} : { started }),
    });
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
    if (terminate && state !== 'failed' && this.#transport.sessionId !== undefined) {
      await endSession(this.#transport, (fact) => this.#record(fact));
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

  /** Reports that the connection cannot go on as it is; the next success makes it connected again. */
  lose(problem: Problem): void {
    this.#summary.update({ state: 'lost', problem });
  }

  async #endAll(problem: Problem): Promise<void> {
    const abort = new ExchangeAbort('close', problem);
    this.#requests.abortAll(abort);
    this.#lifetime.abort(abort);
    this.#listening.abort(abort);
    this.#serverRequests.clear();
    await this.#transport.close(problem);
  }

  /** Keeps the optional stream open. No outcome of it ends the connection; its rows tell how it went. */
  async #listen(lastEventId?: string): Promise<void> {
    const listening = new AbortController();
    this.#listening = listening;
    const session = this.#transport.sessionId;
    try {
      const status = await this.#transport.listen(listening.signal, lastEventId);
      // A 404 with a session may mean that the session is gone, or only that there is no stream.
      if (status === 404 && session !== undefined) await this.#request('ping', undefined, {});
    } catch (error) {
      if (toProblem(error).code === 'http-session-ended') await this.#renewal.renew(session);
    }
  }

  /** After the server has forgotten the session: at most one repeat, and only of what reads. */
  async #repeatInNewSession(
    method: string,
    paramsText: string | undefined,
    links: RequestLinks,
    session: string | undefined,
    problem: Problem,
  ): Promise<void> {
    if (!this.#options.profile.renewSession) return this.#doubt(problem);
    if (!(await this.#renewal.renew(session)) || !mayRepeat(method)) return;
    try {
      await this.#request(method, paramsText, { ...links, attempt: 2, reason: 'session' });
    } catch (error) {
      this.#doubt(toProblem(error));
    }
  }

  #sessionEnded(cause: string): void {
    if (this.#transport.kind !== 'websocket') this.#record({ kind: 'session-ended', cause });
    const abort = new ExchangeAbort('close', { code: 'aborted', message: cause });
    this.#listening.abort(abort);
    // Where all comes over one stream, nothing more comes for what was asked over it.
    if (this.#transport.kind === 'http-sse') this.#requests.abortAll(abort);
    this.#serverRequests.clear();
  }

  #sendAnswer(text: string, asked: { id: RpcId; method: string }, by: 'policy' | 'user'): void {
    const { id, method } = asked;
    this.#summary.count();
    this.#transport
      .send({
        text,
        kind: 'response',
        method,
        signal: this.#lifetime.signal,
        started: (carrierId) =>
          this.#record({ kind: 'server-request-answered', carrierId, rpcId: id, by }),
      })
      // A refused answer is noted on its row; it ends nothing.
      .catch(() => undefined);
  }

  /** An exchange went through: whatever was wrong with the link is over. */
  #found(): void {
    if (this.#summary.current.state !== 'lost') return;
    this.#record({ kind: 'connection-state', state: 'live', cause: 'A request was answered.' });
    this.#summary.setState('connected');
  }

  /** An exchange failed: some failures say that the server, or the session, is gone. */
  #doubt(problem: Problem, isSure = false): void {
    if (this.#summary.current.state !== 'connected') return;
    const isGone = problem.code.startsWith('network-') || problem.code === 'http-session-ended';
    if (!isGone && !isSure) return;
    this.#record({ kind: 'connection-state', state: 'lost', cause: problem.message });
    this.lose(problem);
  }

  #phase(phase: ConnectPhase): void {
    this.#record({ kind: 'connection-phase', phase });
    this.#summary.update({ phase, since: this.#options.now() });
  }

  #record(fact: WireFact): void {
    this.#options.recorder.record(fact, this.#options.connectionId);
  }
}
