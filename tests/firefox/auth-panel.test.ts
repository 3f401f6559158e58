import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { challenge, startAuthPeer, type AuthPeer } from '../server/auth-peer.ts';
import { startScripted, type ScriptedServer } from '../server/scripted.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

const ADMIN = 'mcp:admin';
const WAIT = { timeout: 15_000, interval: 100 };

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let peer: AuthPeer;
let server: ScriptedServer;

// Nobody has to be asked on its page: Firefox opens no window then.
beforeAll(async () => {
  peer = await startAuthPeer();
  server = await startScripted(
    peer.protect({}, ({ message }, scopes) =>
      message.method === 'tools/call' && !scopes.includes(ADMIN)
        ? challenge(403, `error="insufficient_scope", scope="${ADMIN}"`)
        : undefined,
    ),
  );
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await server?.[Symbol.asyncDispose]();
  await peer?.[Symbol.asyncDispose]();
});

const details = () => page.within('Details');
const grants = () => peer.tokenRequests().map((form) => form.get('grant_type'));
const registrations = () => peer.requests.filter(({ target }) => target === '/register').length;

test('the way to a token is chosen in the options, and checked before anything is sent', async () => {
  walks('Choose a way to a token');
  await page.press('Options');
  await page.choose('Token', 'Client credentials');
  await page.connect(server.url());
  await page.expectText('needs the client id');
  expect(server.requests).toEqual([]);

  await page.choose('Token', 'Log in when asked');
  await page.fill('Metadata URL', 'https://me.example/client.json');
  await page.press('Show the document to host');
  const options = page.within('Options for the next connection');
  await options.expectText('"client_id": "https://me.example/client.json"');
  // Firefox has two addresses that a login may lead to: both are to be told to who registers it by hand.
  await options.expectText(/https:\/\/[0-9a-f]{40}\.extensions\.allizom\.org\//);
  await page.fill('Metadata URL', '');

  await page.choose('Token', 'Off');
  await page.press('Connect');
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/401/);
  expect(peer.requests).toEqual([]);
  await page.press('Dismiss');
  await page.choose('Token', 'Log in when asked');
  await page.press('Options');
});

test('a login is one row under its request, with every step of it in the details', async () => {
  walks('Read a login step by step');
  await page.connect(server.url());
  await page.expectConnections(/connected/);
  await page.expectRow(/Authorization logged in · .*, of which you /);
  await page.expectNoText('/register');
  // The steps stand below it, as rows.
  await page.press('Auth');
  await page.expectRow(/\/register/);
  await page.expectRow(/\/token/);
  await page.press('clear filter');
  await page.expectNoText('/register');
  await page.entry('Authorization').click();
  await details().expectText(/401.*token ‹[0-9a-f]+›/);
  await details().press('challenge');
  await details().expectText('Request headers as asked');
  await details().press('server metadata');
  await details().expectText('/.well-known/oauth-authorization-server');

  await page.press('Send a request');
  await page.send('tools/call', { name: 'admin' });
  await page.expectRow(/Authorization stepped up/);
  await page.expectRow(/tools\/call admin .*200/);
  await page.entry('tools/call').click();
  await details().press('Auth');
  await details().expectText(`Scopes granted ${ADMIN}`);
});

test('credentials expire, break and end by hand, each with its effect', async () => {
  walks('Manage credentials');
  const before = grants().length;
  const since = () => grants().slice(before);
  await page.press('Credentials');
  const screen = page.within('Credentials');
  const card = screen.within(server.url());
  await card.expectText(`Issuer ${peer.origin}`);
  await card.expectText(/Expires in 59 min/);
  await card.press({ begins: 'Expire now' });
  await screen.expectText('counts as expired');
  await page.send('tools/list', {});
  await expect.poll(since, WAIT).toEqual(['refresh_token']);
  // Asked for is not yet held.
  await card.expectText(/Expires in 59 min/);
  const token = async () => /Token ‹[0-9a-f]+›/.exec(await card.text())?.[0];
  const whole = await token();
  await card.press({ begins: 'Corrupt' });
  await screen.expectText('is broken');
  await expect.poll(token, WAIT).not.toBe(whole);
  const broken = await token();
  await page.send('tools/list', {});
  await expect.poll(since, WAIT).toEqual(['refresh_token', 'refresh_token']);
  // What comes after it was forgotten would be held again.
  await expect.poll(token, WAIT).not.toBe(broken);
  await card.press({ begins: 'Forget' });
  await card.expectText(/^$/);
  await page.send('tools/list', {});
  await expect.poll(() => since().at(-1), WAIT).toBe('authorization_code');
  await card.expectText(/Expires in 59 min/);
  await card.press({ begins: 'Sign out' });
  await screen.expectText('Signed out');
  await screen.press(`Forget the client at ${peer.origin}`);
  await screen.expectNoText('Registered clients');
  expect(registrations()).toBe(1);
  await screen.press('Close');
  await page.send('tools/list', {});
  await expect.poll(registrations, WAIT).toBe(2);
});

test('nothing of it has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
