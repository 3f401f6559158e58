import { walks } from '../journeys.ts';
import { startAuthPeer } from '../server/auth-peer.ts';
import { AUTHORIZATION_FAULTS, faultyServer } from '../server/faults/authorization.ts';
import { FEATURE_FAULTS } from '../server/faults/features.ts';
import { startScripted } from '../server/scripted.ts';
import { expect, test } from './fixtures.ts';

test('what is wrong with a login is marked on its row, and leads to the answer that shows it', async ({
  panel,
}) => {
  walks('See issues of a server');
  const fault = AUTHORIZATION_FAULTS['odd-registration']!;
  await using peer = await startAuthPeer(fault.authority);
  await using server = await startScripted(faultyServer(peer, fault));
  await panel.connectAndWait(server.url());
  const login = panel.rows('Authorization').first();
  await login.click();
  await panel.traffic.press('Enter');
  await panel.detailTabs.filter({ hasText: 'Issues (1)' }).click();
  await expect(panel.details).toContainText('AUT-23, by the server');
  await panel.button('Answer of the HTTP exchange').click();
  await expect(panel.details).toContainText('client_uri');
});

test('what is wrong with a result is marked on its call', async ({ panel }) => {
  walks('See issues of a server');
  const { script, calls } = FEATURE_FAULTS['misfit-structured']!;
  await using server = await startScripted(script);
  await panel.connectAndWait(server.url());
  for (const [method, params] of calls) await panel.send(method, params);
  const call = panel.requests('tools/call');
  await call.click();
  await panel.detailTabs.filter({ hasText: 'Issues (1)' }).click();
  await expect(panel.details).toContainText('degrees: "20" is no number');
  await expect(panel.details.getByRole('link', { name: /Output Schema/ })).toHaveAttribute(
    'href',
    'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema',
  );
});
