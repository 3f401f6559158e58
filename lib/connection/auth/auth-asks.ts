import { AppError } from '../../errors.ts';
import type { AuthDoors } from '../../auth/auth-doors.ts';
import type { ChainOwner } from '../../auth/authorization.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import type { AuthAsk, ConnectionSummary } from '../../port/contract.ts';
import { httpForm } from '../../transport/websocket/socket-door.ts';

/** The browser, as far as a login needs it. */
export interface LoginDoor extends Pick<AuthDoors, 'redirectUri'> {
  /** Whether this redirect is only seen with access to its host. */
  isWatched(redirectUri: string): boolean;
  /**
   * Opens a page for the user; resolves with the URL that it redirected to, or with `undefined` where the user
   * left. Rejects with an `AppError` where it cannot be shown. `signal` ends the wait.
   */
  open(url: string, redirectUri: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface AuthAsksContext {
  hostPattern(url: string): string;
  hasPermission(hostPattern: string): Promise<boolean>;
  record(fact: WireFact, connectionId: string | undefined): void;
  now(): number;
  changed(): void;
}

/** What the chains that are under way wait for. */
export interface AuthAsks {
  began(chain: string, owner: ChainOwner): void;
  ended(chain: string): void;
  /** Aborts when a chain is given up. */
  signalOf(chain: string): AbortSignal | undefined;
  ownerOf(chain: string): ChainOwner | undefined;
  /** How chains ask people. */
  people(login: LoginDoor): Pick<AuthDoors, 'consent' | 'redirectUri' | 'permission' | 'decide'>;
  /** Waits until somebody goes on with a login of an earlier life; rejects with an `AppError` where it is given up. */
  interrupted(chain: string, owner: ChainOwner): Promise<void>;
  /** Adds what is under way to what pages are told. */
  annotate(summary: ConnectionSummary): ConnectionSummary;
  /** The answer to what is asked for a server; nothing happens where something else is asked. */
  answer(serverUrl: string, kinds: AuthAsk['kind'][], isYes: boolean): void;
  /** The browser granted hosts, to whoever asked. */
  permissionsAdded(): Promise<void>;
  /** Gives up what is under way for a server. */
  stop(serverUrl: string): void;
  /** These servers have live connections; for other ones nobody waits any more. */
  keepOnly(serverUrls: ReadonlySet<string>): void;
}

interface Running extends ChainOwner {
  abort: AbortController;
  ask?: AuthAsk;
  answer?(isYes: boolean): void;
}

/** Starts with nothing under way. */
export function createAuthAsks(context: AuthAsksContext): AuthAsks {
  const { hostPattern, hasPermission, now, changed } = context;
  const chains = new Map<string, Running>();

  function began(chain: string, owner: ChainOwner): Running {
    const running = { ...owner, abort: new AbortController() };
    chains.set(chain, running);
    changed();
    return running;
  }

  function ended(chain: string): void {
    if (chains.delete(chain)) changed();
  }

  function runningOf(chain: string): Running {
    const running = chains.get(chain);
    if (running === undefined) throw new AppError(GIVEN_UP);
    running.abort.signal.throwIfAborted();
    return running;
  }

  /** Shows an ask while something is waited for; rejects where the chain is given up meanwhile. */
  async function show<Answer>(
    running: Running,
    ask: AuthAsk,
    wait: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    running.ask = ask;
    changed();
    const { signal } = running.abort;
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
    try {
      return await Promise.race([wait(signal), stopped.promise]);
    } finally {
      signal.removeEventListener('abort', stop);
      delete running.ask;
      delete running.answer;
      changed();
    }
  }

  function answered(running: Running): Promise<boolean> {
    return new Promise((resolve) => {
      running.answer = resolve;
    });
  }

  async function permission(chain: string, url: string): Promise<boolean> {
    const running = runningOf(chain);
    const host = hostPattern(url);
    if (await hasPermission(host)) return true;
    // Without a connection there is no place to ask.
    if (!running.isForPeople) return false;
    const { connectionId } = running;
    context.record({ kind: 'permission-asked', host, chain }, connectionId);
    const ask: AuthAsk = { kind: 'permission', url, hostPattern: host };
    const isYes = await show(running, ask, () => answered(running));
    // A page's word is not enough: it may have answered for another prompt.
    const isGranted = isYes && (await hasPermission(host));
    const kind = isGranted ? 'permission-granted' : 'permission-denied';
    context.record({ kind, host, chain }, connectionId);
    return isGranted;
  }

  return {
    began: (chain, owner) => void began(chain, owner),
    ended,
    signalOf: (chain) => chains.get(chain)?.abort.signal,
    ownerOf: (chain) => chains.get(chain),
    people: (login) => ({
      redirectUri: login.redirectUri,
      permission,
      decide: async (chain, question) => {
        const running = runningOf(chain);
        return show(running, { kind: 'decision', question }, () => answered(running));
      },
      consent: async (chain, url, redirectUri) => {
        const running = runningOf(chain);
        if (login.isWatched(redirectUri) && !(await permission(chain, redirectUri))) {
          throw new AppError({
            code: 'permission-denied',
            message: `The redirect to ${redirectUri} is only seen with access to that address, which was not given.`,
            advice: 'Connect again to be asked once more, or choose the redirect of the browser.',
          });
        }
        const ask: AuthAsk = { kind: 'consent', host: new URL(url).host, since: now() };
        return show(running, ask, (signal) => login.open(url, redirectUri, signal));
      },
    }),
    async interrupted(chain, owner) {
      const running = began(chain, owner);
      try {
        await show(running, { kind: 'interrupted', since: now() }, () => answered(running));
      } finally {
        ended(chain);
      }
    },
    annotate(summary) {
      const isOver = summary.state === 'closed' || summary.state === 'failed';
      for (const [chain, { serverUrl, ask }] of isOver ? [] : chains) {
        if (serverUrl !== httpForm(summary.url)) continue;
        return { ...summary, authorization: { chain, ...(ask === undefined ? {} : { ask }) } };
      }
      return summary;
    },
    answer(serverUrl, kinds, isYes) {
      for (const { serverUrl: url, ask, answer } of chains.values()) {
        if (url === serverUrl && ask !== undefined && kinds.includes(ask.kind)) answer?.(isYes);
      }
    },
    async permissionsAdded() {
      for (const { ask, answer } of chains.values()) {
        if (ask?.kind === 'permission' && (await hasPermission(ask.hostPattern))) answer?.(true);
      }
    },
    stop(serverUrl) {
      for (const running of chains.values()) {
        if (running.serverUrl === serverUrl) running.abort.abort(new AppError(GIVEN_UP));
      }
    },
    keepOnly(serverUrls) {
      for (const { serverUrl, isForPeople, abort } of chains.values()) {
        if (isForPeople && !serverUrls.has(serverUrl)) abort.abort(new AppError(GIVEN_UP));
      }
    },
  };
}

const GIVEN_UP = {
  code: 'auth-closed',
  message: 'The login was given up.',
  advice: 'Connect again to be asked once more.',
} as const;
