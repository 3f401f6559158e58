import { walks } from '../journeys.ts';
import { startScripted } from '../server/scripted.ts';
import { plain, stream } from '../server/scripted-behaviour.ts';
import { expect, test } from './fixtures.ts';

test('going offline ends nothing; going online probes what is open, and both are rows', async ({
  wirescope,
}) => {
  walks('Go offline and come back');
  await using server = await startScripted({ GET: stream([': open\n\n'], 'hang') });
  const panel = await wirescope.openPanel();
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(server.url());
  await expect(panel.rows('GET stream', 'open')).toHaveCount(1);
  const { context } = wirescope.browser;
  await context.setOffline(true);
  await expect(panel.rows('The browser is offline')).toHaveCount(1, { timeout: 15_000 });
  await expect(panel.connections).toContainText('connected');
  await context.setOffline(false);
  await expect(panel.rows('The browser is online')).toHaveCount(1, { timeout: 15_000 });
  await expect(panel.rows('Probed after going online')).toHaveCount(1);
  await expect(panel.connections).toContainText('connected');
});

test('a connection says how each of its ways stands, and one sentence where that is no good news', async ({
  wirescope,
}) => {
  walks('See how the ways of a connection stand');
  await using server = await startScripted({
    GET: stream([': open\n\n'], 'hang'),
    'tools/list': [plain(401), plain(200)],
  });
  const panel = await wirescope.openPanel();
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(server.url());
  const channels = panel.connections.getByRole('group', { name: 'Channels' });
  await expect(channels).toContainText(/POST: works.*GET: works/);
  await panel.send('tools/list');
  await expect(channels).toContainText(/POST: refused \(401\).*access: refused \(401\)/);
  await expect(panel.connections).toContainText(
    'The server wants authorization (401): requests are refused, although its stream is open.',
  );
});
