import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../errors.ts';
import type { BackgroundFunctions } from '../../port/contract.ts';
import { readProblem } from '../captures/read-problem.ts';

/** What the page is asked for: from its own address. */
export interface GrantRequest {
  connectionId: string;
  pattern: string;
  url: string;
  /** The host is one of an authorization server, which the login at an MCP server needs. */
  isForLogin: boolean;
}

/** Where the question stands. */
export type GrantState = 'asking' | 'waiting' | 'granted' | 'denied';

/** The page that asks for one host where the panel itself cannot. */
export interface GrantModel {
  request: GrantRequest;
  state: ReadonlySignal<GrantState>;
  problem: ReadonlySignal<Problem | undefined>;
  /** Shows the browser's prompt; to be called synchronously within a click. */
  allow(): void;
  deny(): void;
}

/** Reads the question from the page's address; undefined where it is not one of ours. */
export function readGrantRequest(query: string): GrantRequest | undefined {
  const given = new URLSearchParams(query);
  const [connectionId, pattern, url] = ['connection', 'pattern', 'url'].map((name) =>
    given.get(name),
  );
  const isForLogin = given.get('for') === 'login';
  return connectionId && pattern && url ? { connectionId, pattern, url, isForLogin } : undefined;
}

/** Creates the question. `onGranted` runs once the background knows the answer. */
export function createGrantModel(
  request: GrantRequest,
  background: Pick<BackgroundFunctions, 'permissionAnswered' | 'authAnswer'>,
  requestHost: (pattern: string) => Promise<boolean>,
  onGranted: () => void,
): GrantModel {
  const state = signal<GrantState>('asking');
  const problem = signal<Problem | undefined>(undefined);

  async function answer(granted: boolean): Promise<void> {
    const { connectionId, isForLogin } = request;
    if (isForLogin) await background.authAnswer(connectionId, granted);
    else await background.permissionAnswered(connectionId, granted);
    state.value = granted ? 'granted' : 'denied';
    if (granted) onGranted();
  }

  function watch(work: Promise<void>): void {
    state.value = 'waiting';
    problem.value = undefined;
    work.catch((error: unknown) => {
      state.value = 'asking';
      problem.value = readProblem(error);
    });
  }

  return {
    request,
    state,
    problem,
    allow: () => watch(requestHost(request.pattern).then(answer)),
    deny: () => watch(answer(false)),
  };
}
