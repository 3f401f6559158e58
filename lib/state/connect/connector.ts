import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../errors.ts';
import type {
  BackgroundFunctions,
  ConnectRequest,
  ConnectionSummary,
} from '../../port/contract.ts';
import { readProblem } from '../captures/read-problem.ts';

/** The browser's permission prompt, as far as this page can reach it. */
export interface PermissionDoor {
  /** False in Firefox's panel, which has no permissions API. */
  canRequest: boolean;
  hostPattern(url: string): string | undefined;
  /** Shows the prompt; browsers allow that only synchronously within a click. */
  requestHost(pattern: string): Promise<boolean>;
  /** Opens a page that can ask where this one cannot. */
  openGrantPage(connectionId: string, pattern: string, url: string, isForLogin?: boolean): void;
}

/** Opens and closes connections on the user's behalf. */
export interface Connector {
  /** What went wrong in asking the background; failed connections carry their own problem. */
  problem: ReadonlySignal<Problem | undefined>;
  /** To be called synchronously within a click. */
  connect(request: ConnectRequest): void;
  /** Asks again for a connection that waits for permission; synchronously within a click. */
  allow(connection: ConnectionSummary): void;
  /** Whether this page itself can show the browser's prompt. */
  canPrompt: boolean;
  /** Answers what an authorization asks; synchronously within a click. */
  answerAuth(connection: ConnectionSummary, isYes: boolean): void;
  disconnect(connectionId: string): void;
  dismiss(connectionId: string): void;
  /** Puts a new connection in the place of one that is over or lost; synchronously within a click. */
  replace(connectionId: string, request: ConnectRequest): void;
  /** The request of a connection, where this page made it. */
  requestOf(connectionId: string): ConnectRequest | undefined;
  /** Cancels a request of ours that waits for its response. */
  cancelRequest(connectionId: string, rpcId: string): void;
}

/** Creates the connector; every failure of its calls ends in `problem`. */
export function createConnector(background: BackgroundFunctions, door: PermissionDoor): Connector {
  const problem = signal<Problem | undefined>(undefined);
  const made = new Map<string, ConnectRequest>();

  function watch(work: Promise<unknown>): void {
    problem.value = undefined;
    work.catch((error: unknown) => {
      problem.value = readProblem(error);
    });
  }

  async function open(request: ConnectRequest): Promise<{ connectionId: string }> {
    const opened = await background.connect(request);
    made.set(opened.connectionId, request);
    return opened;
  }

  function connect(request: ConnectRequest): Promise<unknown> {
    // The wish travels first and is not awaited: the prompt may close this page before any answer
    // arrives, and the browser refuses to prompt once the click is over.
    const opened = open(request);
    const pattern = door.canRequest ? door.hostPattern(request.url) : undefined;
    if (pattern === undefined) return opened;
    const answered = door.requestHost(pattern);
    return Promise.all([opened, answered]).then(([{ connectionId }, granted]) =>
      background.permissionAnswered(connectionId, granted),
    );
  }

  return {
    problem,
    connect: (request) => watch(connect(request)),
    replace(connectionId, request) {
      watch(connect(request).then(() => background.dismiss(connectionId)));
    },
    requestOf: (connectionId) => made.get(connectionId),
    cancelRequest: (connectionId, rpcId) => watch(background.cancel(connectionId, rpcId)),
    allow({ connectionId, hostPattern, url }) {
      if (hostPattern === undefined) return;
      if (!door.canRequest) return door.openGrantPage(connectionId, hostPattern, url);
      watch(
        door
          .requestHost(hostPattern)
          .then((granted) => background.permissionAnswered(connectionId, granted)),
      );
    },
    canPrompt: door.canRequest,
    answerAuth({ connectionId, authorization }, isYes) {
      const ask = authorization?.ask;
      if (ask?.kind === 'permission' && isYes) {
        const { hostPattern, url } = ask;
        if (!door.canRequest) return door.openGrantPage(connectionId, hostPattern, url, true);
        const answered = door.requestHost(hostPattern);
        return watch(answered.then((granted) => background.authAnswer(connectionId, granted)));
      }
      const isQuestion = ask?.kind === 'permission' || ask?.kind === 'decision';
      if (isQuestion) return watch(background.authAnswer(connectionId, isYes));
      watch(isYes ? background.authGoOn(connectionId) : background.authStop(connectionId));
    },
    disconnect(connectionId) {
      watch(background.disconnect(connectionId, true));
    },
    dismiss(connectionId) {
      watch(background.dismiss(connectionId));
    },
  };
}
