import { expect, test } from 'vitest';
import { urlRefusal } from '../../../lib/auth/safe-url.ts';

const PUBLIC = 'https://mcp.example/mcp';
const PRIVATE = 'http://192.168.1.5/mcp';
const REASON = 'it is a private address, named by a public server';

test.each([
  // Each range by its first and last address, beside those that are just outside.
  ['10.0.0.0', true],
  ['10.255.255.255', true],
  ['11.0.0.0', false],
  ['172.15.255.255', false],
  ['172.16.0.0', true],
  ['172.31.255.255', true],
  ['172.32.0.0', false],
  ['192.168.0.1', true],
  ['192.167.255.255', false],
  ['169.254.169.254', true],
  ['169.253.0.1', false],
  ['100.63.255.255', false],
  ['100.64.0.0', true],
  ['100.127.255.255', true],
  ['100.128.0.0', false],
  ['0.0.0.0', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['[fd00::1]', true],
  ['[fe80::1]', true],
  ['[::ffff:10.0.0.1]', true],
  ['[2001:db8::1]', false],
  ['printer.local', true],
  ['as.internal', true],
  ['router.home.arpa', true],
  ['localhost', true],
  ['as.localhost', true],
  ['local.example', false],
  ['10.example', false],
])('%s is a private host: %s', (host, isPrivate) => {
  expect(urlRefusal(`https://${host}/token`, PUBLIC)).toBe(isPrivate ? REASON : undefined);
  // A server that is private itself may name others that are.
  expect(urlRefusal(`https://${host}/token`, PRIVATE)).toBeUndefined();
});

test.each([
  ['not a url', 'it is no URL'],
  ['javascript:alert(1)', 'it begins with javascript:'],
  ['http://as.example/token', 'it is not HTTPS'],
  ['http://10.0.0.1/token', 'it is not HTTPS'],
  ['https://user@as.example/token', 'it holds a user name or password'],
  ['https://:secret@as.example/token', 'it holds a user name or password'],
])('%s is refused: %s', (url, reason) => {
  expect(urlRefusal(url, PRIVATE)).toBe(reason);
});

test('this machine needs no TLS', () => {
  expect(urlRefusal('http://127.0.0.1:8080/token', PRIVATE)).toBeUndefined();
});
