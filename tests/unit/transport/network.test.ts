import { expect, test } from 'vitest';
import { createNetwork } from '../../../lib/transport/network.ts';

const never = new AbortController().signal;
const nothing = () => undefined;

test('there is a network until the browser says otherwise', async () => {
  const network = createNetwork();
  expect(network.isOffline('https://mcp.example/')).toBe(false);
  await network.online('https://mcp.example/', never, () => expect.unreachable());
});

test.each(['http://localhost:3/', 'http://127.0.0.1/mcp', 'ws://[::1]:8/', 'http://a.localhost/'])(
  '%s needs no network',
  async (url) => {
    const network = createNetwork();
    network.set(false);
    expect(network.isOffline(url)).toBe(false);
    await network.online(url, never, () => expect.unreachable());
  },
);

test.each(['https://mcp.example/', 'http://192.168.1.7/', 'http://localhost.example/'])(
  '%s is waited for until it is there again',
  async (url) => {
    const network = createNetwork();
    network.set(false);
    expect(network.isOffline(url)).toBe(true);
    const seen: string[] = [];
    const waiting = network.online(url, never, () => seen.push('held')).then(() => seen.push('on'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['held']);
    network.set(true);
    await waiting;
    expect(seen).toEqual(['held', 'on']);
  },
);

test('waiting ends with the connection', async () => {
  const network = createNetwork();
  network.set(false);
  const controller = new AbortController();
  const waiting = network.online('https://mcp.example/', controller.signal, nothing);
  controller.abort(new Error('closed'));
  await expect(waiting).rejects.toThrow('closed');
});
