import { Buffer } from 'node:buffer';
import { expect } from 'vitest';
import { bodyBytes } from '../../lib/capture/correlate/http-record.ts';
import type { Item, RequestItem } from '../../lib/capture/correlate/items.ts';
import type { WireFact } from '../../lib/capture/wire-event.ts';
import { checkProfile } from '../../lib/connection/profile.ts';
import { climb } from '../../lib/connection/connect/ladder.ts';
import { createWriter } from '../../lib/connection/link.ts';
import { createLinks } from '../../lib/connection/links.ts';
import { createRequests } from '../../lib/connection/requests/requests.ts';
import { createToolHeaders } from '../../lib/connection/requests/tool-headers.ts';
import { toProblem, type Problem } from '../../lib/errors.ts';
import { DEFAULT_CONNECT, type ConnectRequest } from '../../lib/port/contract.ts';
import type { HttpDoor } from '../../lib/transport/exchange/http-door.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';
import { createNodeSocketDoor } from '../support/node-socket.ts';
import { createRecordingDoor } from './recording-door.ts';

/** No stream, no second attempt, and no patience: what is tested is one answer. */
export const PLAIN: Partial<ConnectRequest> = {
  openStream: false,
  renewSession: false,
  reconnection: { ...DEFAULT_CONNECT.reconnection, retries: 0 },
};

export const IMPATIENT: Partial<ConnectRequest> = { ...PLAIN, idleTimeoutMs: 400 };

export interface Probe extends AsyncDisposable {
  worker: TestWorker;
  door: HttpDoor;
  /** Every response body is in the log, byte for byte. */
  expectAllBytes(): Promise<void>;
  items<Kind extends Item['kind']>(kind: Kind): Extract<Item, { kind: Kind }>[];
  /** Our own requests of a method. */
  requests(method: string): RequestItem[];
  /** Sends a call and waits until its row is settled. */
  call(connectionId: string, method?: string, params?: unknown): Promise<RequestItem>;
}

export async function startProbe(): Promise<Probe> {
  const { door, bodies } = createRecordingDoor();
  const worker = await startTestWorker({ http: door });
  const items = <Kind extends Item['kind']>(kind: Kind) =>
    worker.correlation.items.filter((item) => item.kind === kind) as Extract<
      Item,
      { kind: Kind }
    >[];
  const requests = (method: string) =>
    items('request').filter((item) => item.method === method && item.direction === 'outgoing');
  return {
    worker,
    door,
    items,
    requests,
    async expectAllBytes() {
      await worker.recorder.flushed();
      expect(bodies.size).toBeGreaterThan(0);
      const lost = [...bodies].filter(([httpId, pieces]) => {
        const record = worker.correlation.https.get(httpId);
        return record === undefined || !Buffer.concat(pieces).equals(bodyBytes(record));
      });
      expect(lost).toEqual([]);
    },
    async call(connectionId, method = 'tools/call', params = { name: 'echo', arguments: {} }) {
      const before = requests(method).length;
      await worker.manager.functions.send(connectionId, method, JSON.stringify(params));
      return worker.until(() => {
        const item = requests(method)[before];
        return item !== undefined && item.outcome !== 'pending' && item.ended !== undefined && item;
      }, `${method} settled`);
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}

/**
 * The same call by the connection's own parts, for the problem that it sees live: whoever waits for the
 * response gets it, while the row is derived from the log alone.
 */
export async function liveProblem(
  probe: Probe,
  url: string,
  options: Partial<ConnectRequest>,
  method = 'tools/call',
): Promise<{ live: Problem | undefined; derived: Problem | undefined; item: RequestItem }> {
  const { worker, door } = probe;
  const profile = checkProfile({
    ...DEFAULT_CONNECT,
    transport: 'streamable-http',
    ...options,
    url,
  });
  const connectionId = 'live';
  let count = 0;
  const record = (fact: WireFact) => void worker.recorder.record(fact, connectionId);
  const links = createLinks(
    profile,
    {
      door,
      socketDoor: createNodeSocketDoor(),
      recorder: worker.recorder,
      connectionId,
      newHttpId: () => `live-${(count += 1)}`,
    },
    {
      received(payload, { replyTo }) {
        const messages = payload.kind === 'batch' ? payload.items : [payload];
        for (const item of messages) {
          const message = item.kind === 'message' ? item.message : undefined;
          if (message?.kind === 'result' || message?.kind === 'error') {
            requests.respond(message, replyTo);
          }
        }
      },
      lost: () => undefined,
    },
  );
  const link = () => links.current;
  const write = createWriter('0.0.0', () => ({}), createToolHeaders());
  const requests = createRequests(connectionId, worker.recorder, link, write);
  const ending = new AbortController();
  await climb({
    link,
    use: links.use,
    declare: () => undefined,
    requests,
    record,
    profile,
    client: '0.0.0',
    capabilities: () => ({}),
    signal: ending.signal,
    phase: () => undefined,
    sent: () => undefined,
  });
  const live = await requests
    .send(method, JSON.stringify({ name: 'echo', arguments: {} }), {
      idle: { kind: 'idle', durationMs: profile.idleTimeoutMs },
    })
    .then(
      () => undefined,
      (error: unknown) => toProblem(error),
    );
  const item = await worker.until(() => {
    const found = probe.requests(method).find((request) => request.connectionId === connectionId);
    const end = worker.correlation.https.get(found?.httpId ?? '')?.end;
    return found !== undefined && (end !== undefined || live === undefined) && found;
  }, 'the row of the live call');
  return { live, derived: item.problem, item };
}
