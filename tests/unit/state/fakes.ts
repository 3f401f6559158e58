import type {
  BackgroundFunctions,
  ConnectionSummary,
  ConnectRequest,
} from '../../../lib/port/contract.ts';
import { DEFAULT_CONNECT } from '../../../lib/port/contract.ts';

export const DEFAULTS: Omit<ConnectRequest, 'url'> = DEFAULT_CONNECT;

/** A background that notes what it is asked, and does what the test says. */
export function fakeBackground(behaviour: Partial<BackgroundFunctions> = {}) {
  const calls: unknown[][] = [];
  function noted<Name extends keyof BackgroundFunctions>(
    name: Name,
    fallback: BackgroundFunctions[Name],
  ): BackgroundFunctions[Name] {
    const answer = behaviour[name] ?? fallback;
    return ((...given: unknown[]) => {
      calls.push([name, ...given]);
      return Reflect.apply(answer, undefined, given);
    }) as BackgroundFunctions[Name];
  }
  const background: BackgroundFunctions = {
    connect: noted('connect', async () => ({ connectionId: 'c1' })),
    permissionAnswered: noted('permissionAnswered', async () => undefined),
    disconnect: noted('disconnect', async () => undefined),
    dismiss: noted('dismiss', async () => undefined),
    send: noted('send', async () => ({ rpcId: '1', carrierId: 'h1' })),
    sendRaw: noted('sendRaw', async () => ({ carrierId: 'h1' })),
    stopRaw: noted('stopRaw', async () => undefined),
    answer: noted('answer', async () => undefined),
    answers: noted('answers', async () => DEFAULT_CONNECT.answers),
    cancel: noted('cancel', async () => undefined),
    reveal: noted('reveal', async () => ({})),
    report: noted('report', async () => ({ reportId: 'r1' })),
    stopReport: noted('stopReport', async () => undefined),
    update: noted('update', async () => undefined),
    dropStream: noted('dropStream', async () => undefined),
    armFault: noted('armFault', async () => undefined),
    disarmFault: noted('disarmFault', async () => undefined),
    recentServers: noted('recentServers', async () => []),
    forgetServer: noted('forgetServer', async () => undefined),
    keepServers: noted('keepServers', async () => undefined),
    subscribe: noted('subscribe', async () => ({ captureId: 'capture-1', lastSequence: 0 })),
    taken: noted('taken', async () => undefined),
    storage: noted('storage', async () => ({
      captures: [],
      currentId: 'capture-1',
      limitBytes: 1_000_000_000,
    })),
    pinCapture: noted('pinCapture', async () => undefined),
    deleteCaptures: noted('deleteCaptures', async () => undefined),
    setStorageLimit: noted('setStorageLimit', async () => undefined),
    splitCapture: noted('splitCapture', async () => 'c-new'),
    authAnswer: noted('authAnswer', async () => undefined),
    authGoOn: noted('authGoOn', async () => undefined),
    authStop: noted('authStop', async () => undefined),
    credentials: noted('credentials', async () => []),
    clients: noted('clients', async () => []),
    signOut: noted('signOut', async () => undefined),
    forgetCredential: noted('forgetCredential', async () => undefined),
    expireCredential: noted('expireCredential', async () => undefined),
    corruptCredential: noted('corruptCredential', async () => undefined),
    forgetClient: noted('forgetClient', async () => undefined),
    redirectUris: noted('redirectUris', async () => ({
      identity: 'https://id.chromiumapp.org/',
      loopback: 'http://127.0.0.1/callback',
    })),
    clientMetadata: noted('clientMetadata', async () => '{}'),
  };
  return { background, calls };
}

/** A connection in the list, connected unless the test says otherwise. */
export function summary(change: Partial<ConnectionSummary> = {}): ConnectionSummary {
  return {
    connectionId: 'c1',
    url: 'http://127.0.0.1:3001/mcp',
    state: 'connected',
    since: 0,
    messageCount: 0,
    questions: [],
    ...change,
  };
}

/** Lets everything run that only waits for promises which are settled already. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
