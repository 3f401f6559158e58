import { expect, test } from 'vitest';
import type { Recorder } from '../../../../lib/capture/recorder.ts';
import { DEFAULT_CONNECT } from '../../../../lib/port/contract.ts';
import { StreamableHttp } from '../../../../lib/transport/http/streamable-http.ts';
import { startRecorder } from '../../../support/builders.ts';
import { createScriptedDoor, EVENT_STREAM } from '../../../support/scripted-door.ts';

const FULL_BYTES = 40 * 1024 * 1024;
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';

async function startCall(firstEvent: string) {
  const network = createScriptedDoor({ canBrake: false });
  const log = await startRecorder();
  let queuedBytes = 0;
  let wasFull = false;
  const isFull = Promise.withResolvers<void>();
  const recorder: Recorder = {
    ...log.recorder,
    record(fact, ...more) {
      if (fact.kind === 'http-chunk' && !wasFull) queuedBytes = FULL_BYTES;
      wasFull ||= fact.kind === 'http-chunk';
      if (wasFull) isFull.resolve();
      return log.recorder.record(fact, ...more);
    },
    uncommittedBytes: () => queuedBytes,
    flushed() {
      queuedBytes = 0;
      return log.recorder.flushed();
    },
  };
  let count = 0;
  const transport = new StreamableHttp({
    door: network.door,
    recorder,
    connectionId: 'c1',
    newHttpId: () => `h${(count += 1)}`,
    url: 'http://127.0.0.1:3001/mcp',
    headers: () => [],
    limitBytes: 1000,
    reconnection: { ...DEFAULT_CONNECT.reconnection, initialDelayMs: 1 },
    events: { received: () => undefined, lost: () => undefined },
  });
  const sent = transport.send({
    text: '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    kind: 'request',
    method: 'tools/call',
    rpcId: '1',
    signal: new AbortController().signal,
  });
  const body = (await network.call(1)).head(200, EVENT_STREAM);
  body.write(firstEvent);
  await isFull.promise;
  // There is no room for this one.
  body.write('data: {}\n\n');
  return { network, sent, log };
}

test('a stream that was too fast goes on after its last event once all is stored', async () => {
  const { network, sent, log } = await startCall('id: e1\ndata: {}\n\n');
  const again = await network.call(2);
  expect(again.call.headers).toContainEqual({ name: 'Last-Event-ID', value: 'e1' });
  const body = again.head(200, EVENT_STREAM);
  body.write(`id: e2\ndata: ${RESULT}\n\n`);
  body.end();
  await sent;
  const kinds = log.batches.flatMap(({ events }) => events.map(({ kind }) => kind));
  expect(kinds).toEqual(expect.arrayContaining(['reading-paused', 'retry-scheduled']));
});

test('without event ids it ends there, and says why', async () => {
  const { sent } = await startCall('data: {}\n\n');
  await expect(sent).rejects.toMatchObject({ problem: { code: 'stream-too-fast' } });
});
