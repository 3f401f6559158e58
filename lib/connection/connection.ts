import { toProblem, type Problem } from '../errors.ts';
import type { RpcId } from '../capture/items.ts';
import type { CloseCause, ConnectPhase, RequestLinks } from '../capture/wire-event.ts';
import type {
  ConnectionState,
  ConnectionSummary,
  SentRequest,
  ServerAnswer,
} from '../port/contract.ts';
import { buildNotification, type Message, type Payload } from '../protocol/jsonrpc.ts';
import { ExchangeAbort, type ExchangeContext } from '../transport/exchange.ts';
import { StreamableHttp } from '../transport/streamable-http.ts';
import type { Transport } from '../transport/transport.ts';
import { initializeParams, readInitializeResponse } from './handshake.ts';
import type { Profile } from './profile.ts';
import { createRequests, type Requests } from './requests.ts';
import { createServerRequests, type ServerRequests } from './server-requests.ts';
import { timeLimit } from './time-limit.ts';

/** Each phase of connecting has this long, in milliseconds. */
const PHASE_MS = 10_000;
/** No request is waited for longer than this, progress or not. */
const HARD_LIMIT_MS = 10 * 60_000;
/** Closing never waits longer than this for the DELETE. */
const TERMINATE_MS = 2000;

export interface ConnectionOptions extends ExchangeContext {
  profile: Profile;
  /** Version of this extension, told to the server. */
  clientVersion: string;
  /** Fingerprint under which a secret is shown. */
  fingerprint(secret: string): string;
  now(): number;
  changed(): void;
}

/** A live link to one server: the legacy handshake, our requests, the server's requests, and the end. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #transport: Transport;
  readonly #requests: Requests;
  readonly #serverRequests: ServerRequests;
  readonly #lifetime = new AbortController();
  #summary: ConnectionSummary;

  constructor(options: ConnectionOptions) {
    const { profile, connectionId, recorder } = options;
    this.#options = options;
    this.#transport = new StreamableHttp({
      ...options,
      url: profile.url,
      headers: () => profile.headers.map(({ name, value }) => ({ name, value })),
      limitBytes: profile.messageLimitBytes,
      ...(profile.originPolicy.kind === 'value' ? { sentOrigin: profile.originPolicy.value } : {}),
      events: {
        received: (payload, from) => this.#receive(payload, from.replyTo),
        lost: (problem) => this.lose(problem),
      },
    });
    this.#requests = createRequests(connectionId, recorder, () => this.#transport);
    this.#summary = {
      connectionId,
      url: profile.url,
      state: 'connecting',
      since: options.now(),
      messageCount: 0,
      questions: [],
    };
    this.#serverRequests = createServerRequests({
      policies: profile.answers,
      now: options.now,
      changed: () => this.#update({ questions: this.#serverRequests.questions }),
      send: (text, request, by) => this.#sendAnswer(text, request, by),
    });
  }

  get summary(): ConnectionSummary {
    return this.#summary;
  }

  /** Connects. Never rejects: a failure is a state, with its problem in the summary and in the log. */
  async open(): Promise<void> {
    const { recorder, connectionId, profile, clientVersion } = this.#options;
    const evidence: string[] = [];
    try {
      this.#phase('initialize');
      const params = initializeParams(clientVersion, this.#serverRequests.capabilities);
      const response = await this.#requests.send('initialize', params, {
        idle: { kind: 'connect', durationMs: PHASE_MS },
        started: ({ carrierId }) => void evidence.push(carrierId),
      });
      const identity = readInitializeResponse(response);
      this.#transport.protocolVersion = identity.revision;
      const { sessionId } = this.#transport;
      this.#update({
        ...identity,
        transport: 'streamable-http',
        era: 'legacy',
        ...(sessionId === undefined ? {} : { session: this.#options.fingerprint(sessionId) }),
      });
      this.#phase('initialized');
      await this.#notifyInitialized();
      recorder.record(
        {
          kind: 'connection-chosen',
          transport: 'streamable-http',
          era: 'legacy',
          ...identity,
          evidence,
        },
        connectionId,
      );
      this.#setState('connected');
      if (profile.openStream) this.#listen();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sends a request of the user; resolves once it is on its way. */
  send(method: string, paramsText: string | undefined, links: RequestLinks): Promise<SentRequest> {
    const { promise, resolve, reject } = Promise.withResolvers<SentRequest>();
    this.#count();
    this.#requests
      .send(method, paramsText, {
        idle: { kind: 'idle', durationMs: this.#options.profile.idleTimeoutMs },
        hardLimitMs: HARD_LIMIT_MS,
        links,
        started: resolve,
      })
      .then(
        () => this.#found(),
        (error: unknown) => {
          // The row of the request tells; here it only matters what it says about the connection.
          reject(error);
          this.#doubt(toProblem(error));
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
    if (this.#summary.state === 'closed') return;
    const { recorder, connectionId } = this.#options;
    const wasFailed = this.#summary.state === 'failed';
    this.#setState('closing');
    const abort = new ExchangeAbort('close', {
      code: 'aborted',
      message: 'The connection was closed.',
    });
    this.#requests.abortAll(abort);
    this.#lifetime.abort(abort);
    this.#serverRequests.clear();
    if (terminate && !wasFailed && this.#transport.sessionId !== undefined) await this.#terminate();
    recorder.record({ kind: 'connection-closed', cause }, connectionId);
    this.#setState('closed');
  }

  /** Reports that the connection cannot go on, for a reason that lies outside it. */
  lose(problem: Problem): void {
    this.#update({ state: 'lost', problem });
  }

  /** Ends an attempt to connect; the summary and the log say why. */
  fail(error: unknown): void {
    const problem = toProblem(error);
    if (this.#summary.state === 'closing' || this.#summary.state === 'closed') return;
    this.#options.recorder.record(
      { kind: 'connection-failed', problem },
      this.#options.connectionId,
    );
    this.#lifetime.abort(new ExchangeAbort('close', problem));
    this.#update({ state: 'failed', problem });
  }

  async #terminate(): Promise<void> {
    const { recorder, connectionId } = this.#options;
    const limit = timeLimit(TERMINATE_MS, 'The server did not answer the DELETE in time.');
    try {
      const status = await this.#transport.terminate(limit.signal);
      if (status !== undefined) {
        recorder.record({ kind: 'connection-terminated', status }, connectionId);
      }
    } catch {
      // The session ends here in any case; the row of the DELETE says what became of it there.
    } finally {
      limit.stop();
    }
  }

  async #notifyInitialized(): Promise<void> {
    this.#count();
    const method = 'notifications/initialized';
    const late = `The server did not accept \`${method}\` within ${PHASE_MS / 1000} s.`;
    const limit = timeLimit(PHASE_MS, late, this.#lifetime.signal);
    try {
      const text = buildNotification(method);
      await this.#transport.send({ text, kind: 'notification', method, signal: limit.signal });
    } finally {
      limit.stop();
    }
  }

  #listen(): void {
    // The stream is optional, and its row tells how it went: no outcome of it changes the connection.
    this.#transport.listen(this.#lifetime.signal).catch(() => undefined);
  }

  #receive(payload: Payload, replyTo: RpcId | undefined): void {
    if (payload.kind === 'batch') {
      for (const item of payload.items) this.#receive(item, replyTo);
      return;
    }
    if (payload.kind !== 'message') return;
    this.#count();
    this.#take(payload.message, replyTo);
  }

  #take(message: Message, replyTo: RpcId | undefined): void {
    switch (message.kind) {
      case 'result':
      case 'error':
        this.#requests.respond(message, replyTo);
        return;
      case 'request':
        this.#serverRequests.take(message);
        return;
      case 'notification':
        this.#heed(message.method, message.params);
    }
  }

  #heed(method: string, params: unknown): void {
    const named = (params ?? {}) as { progressToken?: unknown; requestId?: unknown };
    if (method === 'notifications/progress' && named.progressToken !== undefined) {
      this.#requests.progress(JSON.stringify(named.progressToken));
    }
    if (method === 'notifications/cancelled' && named.requestId !== undefined) {
      this.#serverRequests.withdraw(JSON.stringify(named.requestId));
    }
  }

  #sendAnswer(
    text: string,
    { id, method }: { id: RpcId; method: string },
    by: 'policy' | 'user',
  ): void {
    this.#count();
    this.#transport
      .send({
        text,
        kind: 'response',
        method,
        signal: this.#lifetime.signal,
        started: (carrierId) => {
          const fact = {
            kind: 'server-request-answered',
            carrierId,
            rpcId: id,
            by,
          } as const;
          this.#options.recorder.record(fact, this.#options.connectionId);
        },
      })
      // A refused answer is noted on its row; it ends nothing.
      .catch(() => undefined);
  }

  /** An exchange went through: whatever was wrong with the link is over. */
  #found(): void {
    if (this.#summary.state === 'lost') this.#setState('connected');
  }

  /** An exchange failed: some failures say that the server, or the session, is gone. */
  #doubt(problem: Problem): void {
    if (this.#summary.state !== 'connected') return;
    const isGone = problem.code.startsWith('network-') || problem.code === 'http-session-ended';
    if (!isGone) return;
    const { recorder, connectionId } = this.#options;
    recorder.record(
      { kind: 'connection-state', state: 'lost', cause: problem.message },
      connectionId,
    );
    this.lose(problem);
  }

  #phase(phase: ConnectPhase): void {
    this.#options.recorder.record({ kind: 'connection-phase', phase }, this.#options.connectionId);
    this.#update({ phase, since: this.#options.now() });
  }

  #setState(state: ConnectionState): void {
    const { problem: _problem, phase: _phase, ...rest } = this.#summary;
    this.#summary = { ...rest, state, since: this.#options.now() };
    this.#options.changed();
  }

  #count(): void {
    this.#update({ messageCount: this.#summary.messageCount + 1 });
  }

  #update(change: Partial<ConnectionSummary>): void {
    this.#summary = { ...this.#summary, ...change };
    this.#options.changed();
  }
}
