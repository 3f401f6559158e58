import type { EventOf, WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';
import { Connection } from '../../../lib/connection/connection.ts';
import type { EraCache } from '../../../lib/connection/era-cache.ts';
import { checkProfile } from '../../../lib/connection/profile.ts';
import { DEFAULT_CONNECT, type ConnectRequest } from '../../../lib/port/contract.ts';
import { createNodeSocketDoor } from '../../support/node-socket.ts';
import { startRecorder } from '../../support/builders.ts';
import { createScriptedDoor, type ScriptedDoor } from './scripted-door.ts';

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
    clientVersion: '0.0.0',
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
