import { join } from 'node:path';
import { walks } from '../journeys.ts';
import { startWebSocketBridge } from '../server/websocket-bridge.ts';
import { findTexts } from '../support/profile-scan.ts';
import { expect, test } from './fixtures.ts';

test('cookies go along only where that was chosen, and are hidden like every secret', async ({
  panel,
  shared,
  misbehaving,
}) => {
  walks('Send the cookies of the browser');
  const bridge = await startWebSocketBridge();
  const value = 'c00kie-8f31d9aa';
  const { context } = shared.browser;
  const kept = { name: 'sid', value, domain: '127.0.0.1', path: '/' };
  await context.addCookies([{ ...kept, secure: true, sameSite: 'None' }]);
  const cookies = () =>
    misbehaving.requests
      .filter(({ url }) => url.startsWith('/ok?cookies'))
      .map(({ headers }) => headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1]);

  await panel.connectAndWait(misbehaving.url('ok?cookies'));
  expect(cookies().length).toBeGreaterThan(0);
  expect(new Set(cookies())).toEqual(new Set([undefined]));
  await panel.endConnections();
  // A WebSocket would take them along unasked.
  await panel.connectAndWait(bridge.url);
  expect(bridge.handshakes.at(-1)).not.toHaveProperty('cookie');
  await panel.endConnections();

  await panel.options.click();
  const choice = panel.root.getByRole('checkbox', { name: 'Send the browser’s cookies' });
  await choice.check();
  const before = cookies().length;
  await panel.connectAndWait(misbehaving.url('ok?cookies'));
  expect(new Set(cookies().slice(before))).toEqual(new Set([`sid=${value}`]));
  await panel.select('initialize');
  await panel.traffic.press('Enter');
  await panel.showTab('Headers');
  await expect(panel.details).toContainText(/cookie/i);
  await expect(panel.details).not.toContainText(value);
  await panel.endConnections();
  await panel.connectAndWait(bridge.url);
  expect(bridge.handshakes.at(-1)).toMatchObject({ cookie: `sid=${value}` });
  await choice.uncheck();
  await panel.options.click();
  expect(findTexts(join(shared.profile, 'Default/IndexedDB'), [value])).toEqual([]);
  await context.clearCookies();
  await bridge.close();
});
