import type { EventOf, WireEvent, WireFact } from '../../../../lib/capture/wire-event.ts';
import { Connection } from '../../../../lib/connection/connection.ts';
import type { EraCache } from '../../../../lib/connection/connect/era-cache.ts';
import { checkProfile } from '../../../../lib/connection/profile.ts';
import { DEFAULT_CONNECT, type ConnectRequest } from '../../../../lib/port/contract.ts';
import { createNodeSocketDoor } from '../../../support/node-socket.ts';
import { startRecorder } from '../../../support/builders.ts';
import {
  createScriptedDoor,
  EVENT_STREAM,
  INITIALIZE_RESULT,
  type ScriptedCall,
  type ScriptedDoor,
} from '../../../support/scripted-door.ts';

export const ENDPOINT = 'http://127.0.0.1:3001/mcp';

export const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: {},
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '2.0.0' } },
};

/** A connection to a network where the test is the server. */
export interface Climber {
  network: ScriptedDoor;
  connection: Connection;
  /** How opening it ended. */
  opened: Promise<void>;
  facts<Kind extends WireFact['kind']>(kind: Kind): Promise<EventOf<Kind>[]>;
  /** `rung verdict` of all rungs that were judged. */
  rungs(): Promise<string[]>;
  /** JSON-RPC or HTTP methods of all that was sent. */
  sent(): string[];
}

/** Opens a connection by the automatic choice, unless the options say otherwise. */
export async function climb(
  options: Partial<ConnectRequest> = {},
  eras?: EraCache,
): Promise<Climber> {
  const network = createScriptedDoor();
  const { recorder, blocks } = await startRecorder();
  let count = 0;
  const connection = new Connection({
    profile: checkProfile({ ...DEFAULT_CONNECT, url: ENDPOINT, openStream: false, ...options }),
    connectionId: 'c1',
    recorder,
    door: network.door,
    socketDoor: createNodeSocketDoor(),
    newHttpId: () => `h${(count += 1)}`,
    ...(eras === undefined ? {} : { eras }),
    client: '0.0.0',
    fingerprint: () => 'abcd',
    reveal: () => undefined,
    now: Date.now,
    changed: () => undefined,
  });
  const opened = connection.open();

  async function facts<Kind extends WireFact['kind']>(kind: Kind) {
    await recorder.flushed();
    const events: WireEvent[] = blocks.flatMap((block) => block.events);
    return events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }

  return {
    network,
    connection,
    opened,
    facts,
    rungs: async () =>
      (await facts('rung-judged')).map(({ rung, verdict }) => `${rung} ${verdict}`),
    sent: () => network.calls.map(({ call, message }) => message.method ?? call.method),
  };
}

/** Answers with an error, under this status. */
export function refuse(call: ScriptedCall, status: number, code: number, data?: unknown): void {
  const error = { code, message: `refused with ${code}`, data };
  call.answer(
    status,
    'application/json',
    JSON.stringify({ jsonrpc: '2.0', id: call.message.id, error }),
  );
}

/** Answers the handshake of a legacy server. */
export async function shakeHands({ network }: Climber): Promise<ScriptedCall> {
  const initialize = await network.next('initialize');
  initialize.result(INITIALIZE_RESULT);
  (await network.next('notifications/initialized')).answer(202);
  return initialize;
}

/** Answers a GET as HTTP+SSE does, and the handshake over it. */
export async function shakeHandsOnStream({ network }: Climber): Promise<void> {
  const body = (await network.next('GET')).head(200, EVENT_STREAM);
  body.write('event: endpoint\ndata: /messages\n\n');
  const initialize = await network.next('initialize');
  body.event({ jsonrpc: '2.0', id: initialize.message.id, result: INITIALIZE_RESULT });
  initialize.answer(202);
  (await network.next('notifications/initialized')).answer(202);
}
