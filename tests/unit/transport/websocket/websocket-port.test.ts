import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkPort } from '../../../../lib/browser/socket/socket-port.ts';
import type { PipePort } from '../../../../lib/browser/socket/socket-pipe.ts';
import { servePipe } from '../../../../lib/browser/socket/socket-serve.ts';
import type { SocketClose } from '../../../../lib/transport/websocket/socket-door.ts';
import {
  startMisbehavingSockets,
  type MisbehavingSockets,
} from '../../../server/websocket-misbehaving.ts';
import { createHeldWire, linkPorts, promptWire, type Wire } from '../../../support/linked-ports.ts';

let server: MisbehavingSockets;

beforeAll(async () => {
  server = await startMisbehavingSockets();
});

afterAll(() => server.close());

/** A socket at the far end of a pair of ports, and everything that is heard of it. */
function openPiped(name: string, wire: Wire = promptWire) {
  const [near, far] = linkPorts(wire);
  servePipe(far);
  return { near, far, ...listen(near, name) };
}

function listen(near: PipePort, name: string) {
  const heard = {
    opened: [] as string[],
    frames: [] as { opcode: string; bytes: Uint8Array }[],
    overruns: [] as number[],
    closes: [] as SocketClose[],
  };
  const call = {
    socketId: 's1',
    url: server.url(name),
    subprotocols: ['mcp'],
    headers: [],
    originPolicy: { kind: 'none' } as const,
  };
  const link = linkPort(near, call, {
    open: (subprotocol) => void heard.opened.push(subprotocol),
    frame: (opcode, bytes) => void heard.frames.push({ opcode, bytes }),
    overrun: (bytes) => void heard.overruns.push(bytes),
    close: (close) => void heard.closes.push(close),
    limited: () => undefined,
  });
  return { link, heard };
}

const callText = (padding = '') =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', padding },
  });

const texts = (frames: { bytes: Uint8Array }[]) =>
  frames.map(({ bytes }) => new TextDecoder().decode(bytes));

test('frames of either opcode come through both ports as they are, and so does the end', async () => {
  const { link, heard, near } = openPiped('binary');
  await expect.poll(() => heard.opened).toEqual(['mcp']);
  link.send(callText());
  await expect.poll(() => heard.frames).toHaveLength(4);
  expect(heard.frames.map(({ opcode }) => opcode)).toEqual(['text', 'binary', 'binary', 'binary']);
  expect([...heard.frames[2]!.bytes]).toEqual([0x00, 0xff, 0xfe, 0x80]);
  expect(texts(heard.frames)[3]).toContain('"result"');
  await expect.poll(() => link.bufferedBytes).toBe(0);
  link.close(4000, 'enough');
  await expect.poll(() => heard.closes).toEqual([{ code: 4000, reason: 'enough', clean: true }]);
  expect(near.isOpen).toBe(false);
});

test('a frame of many parts is one frame on either side', async () => {
  const { link, heard } = openPiped('huge?n=9000000');
  await expect.poll(() => heard.opened).toHaveLength(1);
  const padding = '☕'.repeat(3_000_000);
  link.send(callText(padding));
  expect(link.bufferedBytes).toBeGreaterThan(9_000_000);
  await expect.poll(() => heard.frames, { timeout: 5000 }).toHaveLength(2);
  expect(server.received.at(-1)?.params?.['padding'] === padding).toBe(true);
  expect(heard.frames[0]!.bytes.length).toBeGreaterThan(9_000_000);
  await expect.poll(() => link.bufferedBytes).toBe(0);
  link.drop();
});

test('a socket that never opens closes, once', async () => {
  const { heard } = openPiped('forbidden');
  await expect.poll(() => heard.closes).toEqual([{ code: 1006, reason: '', clean: false }]);
  expect(heard.opened).toEqual([]);
});

test('a port that is gone takes its socket with it, and the other way round', async () => {
  const worker = openPiped('ok?worker-gone');
  await expect.poll(() => worker.heard.opened).toHaveLength(1);
  const before = server.closes.length;
  worker.link.drop();
  await expect.poll(() => server.closes.length).toBe(before + 1);
  expect(server.closes.at(-1)).toMatchObject({ path: '/ok', code: 1000 });
  expect(worker.heard.closes).toEqual([]);

  // A document that is gone has nothing left to report.
  const [near, far] = linkPorts();
  const { heard } = listen(near, 'ok');
  far.disconnect();
  await expect.poll(() => heard.closes).toEqual([{ code: 1006, reason: '', clean: false }]);
});

test('a worker that falls behind is told of all that came, and then that the socket was closed for it', async () => {
  const wire = createHeldWire();
  const { link, heard, far } = openPiped('flood', wire);
  const pumpUntil = async (isDone: () => boolean) => {
    await expect
      .poll(() => {
        while (!isDone() && wire.pump());
        return isDone();
      })
      .toBe(true);
  };
  await pumpUntil(() => heard.opened.length === 1);
  link.send(callText());
  // The call passes; from then on the worker takes nothing.
  await pumpUntil(() => server.received.at(-1)?.path === '/flood');
  await expect
    .poll(() => far.sent.some((json) => json.includes('"overrun"')), { timeout: 10_000 })
    .toBe(true);
  const frames = far.sent.filter((json) => json.includes('"isLast":true')).length;
  await expect.poll(() => server.closes.at(-1)).toMatchObject({ path: '/flood', code: 4000 });
  await pumpUntil(() => heard.closes.length === 1);
  expect(heard.frames).toHaveLength(frames);
  expect(heard.overruns).toHaveLength(1);
  expect(heard.overruns[0]).toBeGreaterThan(32 * 1024 * 1024);
  expect(heard.overruns[0]).toBeLessThan(35 * 1024 * 1024);
});

test('a worker that keeps up is never too slow, however much comes', async () => {
  const { link, heard } = openPiped('flood');
  await expect.poll(() => heard.opened).toHaveLength(1);
  link.send(callText());
  await expect.poll(() => heard.frames.length, { timeout: 10_000 }).toBeGreaterThan(50);
  expect(heard.overruns).toEqual([]);
  link.drop();
});
