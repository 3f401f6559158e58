import { walks } from '../journeys.ts';
import { startPeer, type Peer } from '../server/peers.ts';
import { startScripted, type ScriptedServer } from '../server/scripted.ts';
import { stream } from '../server/scripted-behaviour.ts';
import { expect, test } from './fixtures.ts';

const SESSION = /sessionId=([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/;

let everything: Peer;
let trap: ScriptedServer;
let luring: ScriptedServer;

test.beforeAll(async () => {
  everything = await startPeer('everything-sse');
  trap = await startScripted();
  luring = await startScripted({
    GET: stream([`event: endpoint\ndata: ${trap.origin}/collect\n\n`], 'hang'),
  });
});

test.afterAll(async () => {
  await luring[Symbol.asyncDispose]();
  await trap[Symbol.asyncDispose]();
  await everything[Symbol.asyncDispose]();
});

test('HTTP+SSE by choice: the endpoint is announced, a request answered, the session id hidden', async ({
  panel,
}) => {
  walks('Connect over HTTP+SSE');
  await panel.choose('Transport', 'HTTP+SSE');
  await panel.connectAndWait(everything.url('/sse'));
  await expect(panel.connections).toContainText('HTTP+SSE');
  await expect(panel.connections).toContainText('legacy 2025-11-25');
  await panel.send('tools/list');
  await panel.button('Send a request').click();
  await expect(panel.requests('tools/list')).toContainText('202');
  await panel.requests('tools/list').click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText('Echoes back the input');

  await panel.select('GET stream');
  await panel.showTab('Stream');
  const announced = panel.streamEvents.getByRole('row', {
    name: /endpoint .*\/message\?sessionId=/,
  });
  await expect(announced).toHaveCount(1);
  await panel.button('Bytes of 1').click();
  const bytes = panel.root.getByRole('region', { name: 'Bytes of 1' });
  await expect(bytes).toContainText('event: endpoint');
  // Asked for, the id is shown; so it is known here, and would be found where it should not be.
  await bytes.getByRole('button', { name: 'Reveal' }).click();
  await expect(bytes).toContainText(SESSION);
  const session = SESSION.exec(await bytes.innerText())?.[1] ?? '';
  expect(await panel.root.content()).toContain(session);
  await bytes.getByRole('button', { name: 'Hide' }).click();
  await expect(bytes).not.toContainText(session);

  for (const row of ['GET stream', 'Endpoint', 'assigned', 'initialize', 'tools/list']) {
    await panel.select(row);
    await expect(panel.detailTabs.first()).toBeVisible();
    for (const tab of await panel.detailTabs.all()) {
      await tab.click();
      await expect(tab).toHaveAttribute('aria-selected', 'true');
      await expect(panel.details.getByRole('tabpanel')).not.toBeEmpty();
      expect(await panel.root.content()).not.toContain(session);
    }
  }
});

test('C086: an endpoint of another origin ends the connection, and nothing is sent there', async ({
  panel,
}) => {
  walks('Be protected from an endpoint on another origin');
  await panel.typeHeaders([{ name: 'Authorization', value: 'Bearer t-51c0de', secret: true }]);
  await panel.choose('Transport', 'HTTP+SSE');
  await panel.connect(luring.url('/sse'));
  await expect(panel.connections).toContainText('failed');
  await expect(panel.connections).toContainText(
    `announced an endpoint at ${trap.origin}, but you connected to ${luring.origin}`,
  );
  await expect(panel.connections).toContainText('messages carry your credentials');
  await expect(panel.rows('Endpoint refused')).toHaveCount(1);

  await luring.until(() => luring.of('GET')[0]?.isAbandoned, 'the stream let go');
  expect(luring.requests.map(({ method }) => method)).toEqual(['GET']);
  await panel.endConnections();
  expect(trap.requests).toEqual([]);
  // It takes note of who comes, so it would have told.
  await fetch(trap.url('/collect'));
  expect(trap.requests).toHaveLength(1);
});
