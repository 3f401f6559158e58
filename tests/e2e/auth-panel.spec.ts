import type { Locator } from '@playwright/test';
import { walks } from '../journeys.ts';
import { challenge, startAuthPeer } from '../server/auth-peer.ts';
import type { AuthPeer } from '../server/auth-peer.ts';
import { startScripted } from '../server/scripted.ts';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const ADMIN = 'mcp:admin';

/** A server that takes the tokens of a peer, and wants one scope more for calls. */
function startProtected(peer: AuthPeer) {
  return startScripted(
    peer.protect({}, ({ message }, scopes) =>
      message.method === 'tools/call' && !scopes.includes(ADMIN)
        ? challenge(403, `error="insufficient_scope", scope="${ADMIN}"`)
        : undefined,
    ),
  );
}

/** Rows of authorizations, which stand under the requests that caused them. */
const authorizations = (panel: PanelPage) => panel.rows('Authorization');

function steps(panel: PanelPage): Locator {
  return panel.details.getByRole('list', { name: 'Steps' }).getByRole('listitem');
}

test('a login is one row under its request, a ladder in its details, and goes on to the call', async ({
  panel,
}) => {
  walks('Read a login step by step');
  await using peer = await startAuthPeer();
  await using server = await startProtected(peer);
  await panel.connectAndWait(server.url());
  const [login] = [authorizations(panel).first()];
  await expect(login).toContainText(/logged in · .*, of which you /);
  await expect(login).toHaveAttribute('aria-level', '2');
  await expect(login).toHaveAttribute('aria-expanded', 'false');
  await expect(panel.rows('/register')).toHaveCount(0);

  // The steps stand below it, as rows.
  await panel.button('Auth').click();
  await expect(panel.rows('/register')).toHaveCount(1);
  await expect(panel.rows('/token')).toHaveCount(1);
  await panel.root.getByRole('button', { name: 'clear filter' }).click();
  await expect(panel.rows('/register')).toHaveCount(0);

  await login.click();
  await panel.traffic.press('Enter');
  await expect(panel.detailTabs).toHaveText(['Auth']);
  await expect(steps(panel)).toHaveCount(7);
  await expect(steps(panel).first()).toContainText('401');
  await expect(steps(panel).last()).toContainText(/repeat.*200.*token ‹[0-9a-f]+›/s);
  for (const link of await panel.details.getByRole('link').all()) {
    await expect(link).toHaveAttribute('href', /^https:\/\/(?:modelcontextprotocol\.io|www\.rfc)/);
  }
  expect(await findViolations(panel.root)).toEqual([]);

  // What was sent before the repeat has no row of its own: it opens in place.
  await panel.button('challenge').click();
  await expect(panel.details.getByText('Request headers as asked')).toBeVisible();
  // Every other step is a row.
  await panel.button('server metadata').click();
  await expect(panel.detailTabs.filter({ hasText: 'Headers' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(panel.details).toContainText('/.well-known/oauth-authorization-server');

  await panel.send('tools/call', { name: 'admin' });
  await expect(authorizations(panel).last()).toContainText('stepped up');
  await panel.requests('tools/call').click();
  await panel.showTab('Auth');
  await expect(panel.details).toContainText(`Scopes granted${ADMIN}`);
});

test('credentials expire, break and end by hand, each with its effect', async ({ panel }) => {
  walks('Manage credentials');
  await using peer = await startAuthPeer();
  await using server = await startProtected(peer);
  await panel.connectAndWait(server.url());
  await panel.button('Credentials').click();
  const screen = panel.root.getByRole('region', { name: 'Credentials' });
  const card = screen.getByRole('article', { name: server.url() });
  await expect(card).toContainText(`Issuer${peer.origin}`);
  await expect(card).toContainText(/Expiresin 59 min/);
  await expect(card).toContainText('in memory');
  expect(await findViolations(panel.root)).toEqual([]);
  const act = (name: string) => card.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  const said = screen.getByRole('status');
  const grants = () => peer.tokenRequests().map((form) => form.get('grant_type'));

  await act('Expire now');
  await expect(said).toContainText('counts as expired');
  await expect(card).toContainText('expired');
  await panel.send('tools/list');
  await expect.poll(grants).toEqual(['authorization_code', 'refresh_token']);
  await expect(card).toContainText(/Expiresin 59 min/);

  await act('Corrupt');
  await expect(said).toContainText('is broken');
  await panel.send('tools/list');
  await expect.poll(grants).toEqual(['authorization_code', 'refresh_token', 'refresh_token']);

  await act('Forget');
  await expect(card).toHaveCount(0);
  await panel.send('tools/list');
  await expect.poll(() => grants().at(-1)).toBe('authorization_code');

  await act('Sign out');
  await expect(said).toContainText('Signed out');
  await expect(card).toHaveCount(0);
  // The registration outlives its tokens, until it is forgotten.
  await screen.getByRole('button', { name: `Forget the client at ${peer.origin}` }).click();
  await expect(screen.getByText('Registered clients')).toHaveCount(0);
  const registrations = () => peer.requests.filter(({ target }) => target === '/register').length;
  expect(registrations()).toBe(1);
  await panel.root.getByRole('button', { name: 'Close', exact: true }).click();
  await panel.send('tools/list');
  await expect.poll(registrations).toBe(2);
  await expect(authorizations(panel).filter({ hasText: 'refreshed' })).toHaveCount(2);
  await expect(authorizations(panel).filter({ hasText: 'signed out' })).toHaveCount(1);
});

test('the way to a token is chosen in the options, and checked before anything is sent', async ({
  panel,
}) => {
  walks('Choose a way to a token');
  await using peer = await startAuthPeer();
  await using server = await startProtected(peer);
  await panel.url.fill(server.url());
  await panel.choose('Token', 'Client credentials');
  await panel.button('Connect').click();
  await expect(panel.root.getByRole('alert').first()).toContainText('needs the client id');
  expect(server.requests).toEqual([]);

  await panel.choose('Token', 'Log in when asked');
  await panel.root.getByLabel('Metadata URL').fill('https://me.example/client.json');
  await panel.button('Show the document to host').click();
  const options = panel.root.getByRole('region', { name: 'Options for the next connection' });
  await expect(options).toContainText('"client_id": "https://me.example/client.json"');
  await expect(options.locator('code')).toHaveText(/^https:\/\/.*\.chromiumapp\.org\//);
  expect(await findViolations(panel.root)).toEqual([]);
  await panel.root.getByLabel('Metadata URL').fill('');

  await panel.choose('Token', 'Off');
  await panel.button('Connect').click();
  await expect(panel.connections).toContainText('401');
  expect(peer.requests).toEqual([]);
  await panel.choose('Token', 'Log in when asked');
});

test('a token is got with a secret and no login, and every other way says what it lacks', async ({
  panel,
}) => {
  walks('Choose a way to a token');
  await using peer = await startAuthPeer();
  await using server = await startProtected(peer);
  await panel.url.fill(server.url());
  await panel.options.click();
  const options = panel.root.getByRole('region', { name: 'Options for the next connection' });
  const field = (name: string) => options.getByLabel(name, { exact: true });
  const choice = (name: string) => options.getByRole('combobox', { name, exact: true });
  await choice('Token').selectOption('Enterprise-managed');
  await field('Client id').fill('machine');
  for (const [name, words, right] of [
    ['Provider issuer', 'Type the issuer of the identity provider.', 'https://idp.example'],
    ['Provider endpoint', 'Type the token endpoint', 'https://idp.example/token'],
    ['Provider client id', 'Type the client id at the identity provider.', 'there'],
    ['ID token', 'Paste the ID token', 'eyJhbGciOiJub25lIn0.e30.'],
  ] as const) {
    await expect(options).toContainText(words);
    await field(name).fill(right);
    await expect(options).not.toContainText(words);
  }
  await field('Provider secret').fill('s');
  await choice('Token').selectOption('Workload identity');
  await expect(options).toContainText('Paste the JWT of the workload.');
  await field('Workload JWT').fill('eyJhbGciOiJub25lIn0.e30.');
  await expect(options).not.toContainText('Paste the JWT of the workload.');

  await choice('Token').selectOption('Log in when asked');
  await choice('Register as').selectOption('A native client');
  await choice('Redirect').selectOption('Loopback, in a tab');
  await expect(options.locator('code')).toHaveText(/^http:\/\/127\.0\.0\.1/);
  await choice('Redirect').selectOption('The browser’s own');
  await field('Keep tokens on disk').check();
  await expect(options).toContainText('readable in the profile folder');
  await field('Keep tokens on disk').uncheck();

  await choice('Token').selectOption('Client credentials');
  await field('Private key').fill('nonsense');
  await expect(options).toContainText('PEM of PKCS #8');
  await choice('Algorithm').selectOption({ index: 1 });
  await field('Private key').fill('');
  await field('Issuer').fill('no url');
  await expect(options).toContainText('This is no URL.');
  await field('Issuer').fill(peer.origin);
  await field('Client secret').fill('of the machine');
  await field('Scopes').fill('mcp:tools');
  await panel.button('Connect').click();
  await expect(panel.connections).toContainText('connected');
  const [form] = peer.tokenRequests();
  expect(form?.get('grant_type')).toBe('client_credentials');
  expect(form?.get('scope')).toBe('mcp:tools');
});
