import { LogBuilder } from '../../support/builders.ts';

interface OpenCall {
  id: number;
  httpId: string;
  isStream: boolean;
  isOver: boolean;
}

/** Writes traffic of many kinds in which much belongs together, by numbers that choose what goes on. */
export class BusyLog {
  readonly log = new LogBuilder();
  readonly #calls: OpenCall[] = [];
  readonly #tasks: string[] = [];
  #stream: string | undefined;
  #ids = 0;
  #taken = 0;

  /** Events since the last call. */
  take() {
    const batch = this.log.events.slice(this.#taken);
    this.#taken = this.log.events.length;
    return batch;
  }

  /** One more thing that happens; `choice` picks what, `at` picks to which of what is there. */
  act(choice: number, at: number): void {
    const acts = [
      () => this.#call(at, {}),
      () => this.#call(at, {}),
      () => this.#progress(at),
      () => this.#progress(at),
      () => this.#answer(at),
      () => this.#retry(at),
      () => this.#discover(at),
      () => this.#ask(at),
      () => this.#listen(at),
      () => this.#tell(at),
      () => this.#createTask(at),
      () => this.#pollTask(at),
      () => this.#round(at),
      () => this.#connection(at),
      () => this.log.add({ kind: 'online' }),
      () => this.#stray(at),
      () => this.#authorize(at),
    ];
    acts[choice % acts.length]?.();
  }

  #pick(at: number): OpenCall | undefined {
    return this.#calls[at % Math.max(this.#calls.length, 1)];
  }

  #pickOpen(at: number): OpenCall | undefined {
    const open = this.#calls.filter(({ isOver }) => !isOver);
    return open[at % Math.max(open.length, 1)];
  }

  #call(at: number, links: object, method = 'tools/call'): OpenCall {
    this.log.connectionId = `c${1 + (at % 2)}`;
    const id = (this.#ids += 1);
    const params = { name: `tool${at % 3}`, _meta: { progressToken: id } };
    const httpId = this.log.call(`${id}`, method, params, { links });
    const call = { id, httpId, isStream: false, isOver: false };
    this.#calls.push(call);
    return call;
  }

  #openStream(call: OpenCall): void {
    if (call.isStream) return;
    call.isStream = true;
    this.log.head(call.httpId, 200, 'text/event-stream');
  }

  #progress(at: number): void {
    const call = this.#pickOpen(at);
    if (call === undefined) return;
    this.#openStream(call);
    const params = { progressToken: call.id, progress: at };
    this.log.message(call.httpId, { jsonrpc: '2.0', method: 'notifications/progress', params });
  }

  #answer(at: number, result?: unknown): void {
    const call = this.#pickOpen(at);
    if (call === undefined) return;
    call.isOver = true;
    const isError = result === undefined && at % 3 === 0;
    const message = isError
      ? { jsonrpc: '2.0', id: call.id, error: { code: -1, message: 'No' } }
      : { jsonrpc: '2.0', id: call.id, result: result ?? { text: 'x'.repeat(at % 50) } };
    if (call.isStream) {
      this.log.message(call.httpId, message);
      this.log.end(call.httpId);
    } else {
      this.log.answer(call.httpId, message, at % 7 === 0 ? 404 : 200);
    }
  }

  #retry(at: number): void {
    const before = this.#pick(at);
    if (before !== undefined)
      this.#call(at, { retryOf: before.httpId, attempt: 2, reason: 'auth' });
  }

  #discover(at: number): void {
    const cause = this.#pick(at);
    if (cause === undefined) return;
    const httpId = this.log.request(undefined, {
      purpose: 'discovery',
      method: 'GET',
      url: 'http://127.0.0.1:3001/.well-known/oauth-protected-resource',
      links: { causedBy: cause.httpId },
    });
    this.log.answer(httpId, { resource: 'x' });
  }

  /** A call that is challenged, and repeated; the chain may begin before it is known whose it is. */
  #authorize(at: number): void {
    const call = this.#pickOpen(at);
    if (call === undefined || call.isStream) return;
    const chain = `chain${at % 4}`;
    const links = { authChain: chain, authStep: 1 };
    const challenge = () =>
      this.log.add({
        kind: 'auth-challenged',
        httpId: call.httpId,
        chain,
        reason: 'authorization',
      });
    this.log.answer(call.httpId, '', 401, null);
    if (at % 2 === 0) challenge();
    const url = { text: 'http://127.0.0.1:3001/mcp' };
    if (at % 5 > 0) {
      this.log.add({ kind: 'auth-started', chain, reason: 'authorization', url });
    }
    this.log.answer(this.log.request(undefined, { purpose: 'token', links }), {});
    this.log.add({ kind: 'auth-consent', chain, step: 2, state: 'opened' });
    if (at % 2 === 1) challenge();
    if (at % 3 === 0) return void (call.isOver = true);
    this.log.add({ kind: 'auth-resolved', httpId: call.httpId, chain, outcome: 'repeat' });
    const again = { retryOf: call.httpId, attempt: 2, reason: 'authorization', authChain: chain };
    call.httpId = this.log.call(`${call.id}`, 'tools/call', { name: 'again' }, { links: again });
  }

  /** A request of the server inside a call. */
  #ask(at: number): void {
    const call = this.#pickOpen(at);
    if (call === undefined) return;
    this.#openStream(call);
    this.log.message(call.httpId, { jsonrpc: '2.0', id: `s${at}`, method: 'roots/list' });
  }

  #listen(at: number): void {
    if (this.#stream === undefined || at % 3 === 0) {
      this.#stream = this.log.stream();
      return;
    }
    this.log.end(this.#stream);
    const links = { causedBy: this.#stream, reason: 'resume', attempt: 1, lastEventId: '1' };
    this.#stream = this.log.request(undefined, { purpose: 'stream', method: 'GET', links });
    this.log.head(this.#stream, 200, 'text/event-stream');
  }

  #tell(at: number): void {
    if (this.#stream === undefined) return;
    const taskId = this.#tasks[at % Math.max(this.#tasks.length, 1)] ?? `later${at % 3}`;
    const message =
      at % 2 === 0
        ? { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: at } }
        : { jsonrpc: '2.0', method: 'notifications/tasks/status', params: { taskId } };
    this.log.message(this.#stream, message);
  }

  #createTask(at: number): void {
    const taskId = at % 2 === 0 ? `later${at % 3}` : `task${this.#tasks.length}`;
    this.#tasks.push(taskId);
    this.#answer(at, { task: { taskId, status: 'working' } });
  }

  #pollTask(at: number): void {
    const taskId = this.#tasks[at % Math.max(this.#tasks.length, 1)];
    if (taskId === undefined) return;
    this.#ids += 1;
    this.log.answer(this.log.call(`${this.#ids}`, 'tasks/get', { taskId }), {
      jsonrpc: '2.0',
      id: this.#ids,
      result: { taskId, status: 'working' },
    });
  }

  /** A call whose server asks before it goes on. */
  #round(at: number): void {
    const call = this.#pickOpen(at);
    if (call === undefined || call.isStream) return;
    this.#answer(this.#calls.filter(({ isOver }) => !isOver).indexOf(call), {
      resultType: 'input_required',
      inputRequests: { a: {} },
      requestState: `state${call.id}`,
    });
    this.#call(at, { retryOf: call.httpId, attempt: 2, reason: 'input-required' });
  }

  #connection(at: number): void {
    this.log.connectionId = `c${1 + (at % 2)}`;
    if (at % 3 === 0) return this.log.opened();
    this.log.add({
      kind: 'connection-chosen',
      transport: 'streamable-http',
      era: at % 2 === 0 ? 'legacy' : 'modern',
      revision: at % 2 === 0 ? '2025-11-25' : '2026-07-28',
      serverName: `server${at % 4}`,
      evidence: [],
    });
  }

  #stray(at: number): void {
    const call = this.#pickOpen(at);
    if (call === undefined) return;
    this.#openStream(call);
    this.log.message(call.httpId, { jsonrpc: '2.0', id: 9999 + at, result: {} });
  }
}
