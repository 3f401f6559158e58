import { expect, test } from 'vitest';
import { cookieDoor, cookieSocketDoor } from '../../../lib/connection/cookies.ts';
import type { HttpCall, HttpDoor } from '../../../lib/transport/exchange/http-door.ts';
import type { SocketCall } from '../../../lib/transport/websocket/socket-door.ts';

function fakeDoor() {
  const calls: HttpCall[] = [];
  const door: HttpDoor = {
    canBrake: true,
    async send(call) {
      calls.push(call);
      return { head: { status: 204, statusText: '', headers: [] }, body: undefined };
    },
    bodyError: async () => '',
  };
  return { door, calls };
}

const OBSERVER = { sent: () => undefined, received: () => undefined, connection: () => undefined };

async function sendTo(door: HttpDoor, url: string): Promise<void> {
  const { signal } = new AbortController();
  await door.send({ httpId: 'h1', method: 'GET', url, headers: [], signal }, OBSERVER);
}

test('a profile that says nothing of cookies sends none', async () => {
  const { door, calls } = fakeDoor();
  await sendTo(cookieDoor(door, { url: 'https://a.example/mcp' }), 'https://a.example/mcp');
  await sendTo(cookieDoor(door, undefined), 'https://a.example/mcp');
  expect(calls.map(({ cookies }) => cookies)).toEqual([undefined, undefined]);
});

test.each([
  ['https://a.example/mcp', 'https://a.example/messages?id=1', true],
  ['wss://a.example/mcp', 'https://a.example/mcp', true],
  ['https://a.example/mcp', 'https://b.example/mcp', undefined],
  ['https://a.example/mcp', 'http://a.example/mcp', undefined],
  ['https://a.example/mcp', 'https://a.example:8443/mcp', undefined],
])('a profile for %s sends cookies to %s: %s', async (url, target, cookies) => {
  const { door, calls } = fakeDoor();
  await sendTo(cookieDoor(door, { url, cookies: true }), target);
  expect(calls.map((call) => call.cookies)).toEqual([cookies]);
});

test('a WebSocket takes them along as well', () => {
  const calls: SocketCall[] = [];
  const door = {
    open(call: SocketCall) {
      calls.push(call);
      return { send: () => undefined, close: () => undefined, bufferedBytes: 0, drop() {} };
    },
  };
  const call: SocketCall = {
    socketId: 's1',
    url: 'wss://a.example/mcp',
    subprotocols: [],
    headers: [],
    originPolicy: { kind: 'none' },
  };
  const ignore = () => undefined;
  const observer = { open: ignore, frame: ignore, close: ignore, overrun: ignore, limited: ignore };
  cookieSocketDoor(door, { url: call.url }).open(call, observer);
  cookieSocketDoor(door, { url: call.url, cookies: true }).open(call, observer);
  expect(calls).toEqual([call, { ...call, cookies: true }]);
});
