import { expect, test } from 'vitest';
import type { ConnectionSummary } from '../../../../lib/port/contract.ts';
import {
  createPageHost,
  serversOf,
  suggestedServers,
} from '../../../../lib/state/connect/page-host.ts';

/** The page around a panel, which goes where it is told to. */
function open() {
  let listener: ((url: string | undefined) => void) | undefined;
  const host = createPageHost((told) => {
    listener = told;
    return () => (listener = undefined);
  });
  return { host, goTo: (url?: string) => listener?.(url) };
}

const serversAt = (...urls: string[]) => urls.map((url) => ({ url, headers: [], usedAt: 0 }));
const urlsOf = (servers: readonly { url: string }[]) => servers.map(({ url }) => url);

test.each([
  undefined,
  'about:blank',
  'chrome://version/',
  'chrome-extension://mocebeiohgegefmdifbdjmpdlpgjkjlc/panel.html',
  'file:///home/ada/index.html',
  'data:text/html,hello',
  'no URL',
])('the page %j has no host', (url) => {
  const { host, goTo } = open();
  host.follow();
  goTo('http://localhost:3000/');
  expect(host.name.value).toBe('localhost');
  goTo(url);
  expect(host.name.value).toBeUndefined();
});

test('the page is followed until nobody wants to know any more', () => {
  const { host, goTo } = open();
  const stop = host.follow();
  goTo('https://app.example.com/start');
  stop();
  goTo('https://elsewhere.example');
  expect(host.name.value).toBe('app.example.com');
});

test('servers on the host of the page are found, and those of its neighbours', () => {
  const servers = serversAt(
    'https://app.example.com/mcp',
    'https://example.com/',
    'https://other.org/',
  );
  expect(urlsOf(serversOf('app.example.com', servers))).toEqual([
    'https://app.example.com/mcp',
    'https://example.com/',
  ]);
  expect(serversOf(undefined, servers)).toEqual([]);
});

test('what is connected or typed already is not suggested, what has ended is', () => {
  const at = (url: string, state: ConnectionSummary['state']): ConnectionSummary => ({
    connectionId: url,
    url,
    state,
    since: 0,
    messageCount: 0,
    questions: [],
  });
  const servers = serversAt('http://a/1', 'http://a/2', 'http://a/3', 'http://a/4');
  const connections = [at('http://a/1', 'connected'), at('http://a/2', 'closed')];
  expect(urlsOf(suggestedServers(servers, connections, ' http://a/3 '))).toEqual([
    'http://a/2',
    'http://a/4',
  ]);
});
