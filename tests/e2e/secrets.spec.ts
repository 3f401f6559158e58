import { randomBytes } from 'node:crypto';
import { walks } from '../journeys.ts';
import { findTexts } from '../support/profile-scan.ts';
import { expect, test } from './fixtures.ts';

test('no secret reaches the profile folder, and the panel masks each until it is asked', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Keep secrets off the disk');
  const token = randomBytes(24).toString('base64url');
  const apiKey = randomBytes(24).toString('hex');
  const plain = randomBytes(24).toString('hex');
  const panel = await wirescope.openPanelTab();
  await panel.typeHeaders([
    { name: 'Authorization', value: `Bearer ${token}`, secret: true },
    { name: 'X-Api-Key', value: apiKey, secret: true },
    { name: 'X-Plain', value: plain },
  ]);
  await panel.connectAndWait(misbehaving.url('echo-headers'));
  await panel.send('tools/call', { name: 'echo', arguments: {} });
  const call = panel.rows('tools/call', 'echo');
  await expect(call).toContainText('200');

  const sent = misbehaving.requests.filter(({ body }) => body.includes('tools/call')).at(-1);
  const header = (name: string) => sent?.headers.find(([key]) => key.toLowerCase() === name)?.[1];
  expect(header('authorization')).toBe(`Bearer ${token}`);
  expect(header('x-api-key')).toBe(apiKey);
  const session = header('mcp-session-id') ?? '';
  expect(session.length).toBeGreaterThan(15);
  const secrets = [token, apiKey, session];

  await call.click();
  await panel.traffic.press('Enter');
  // The server repeats the headers in its answer.
  await expect(panel.details).toContainText(plain);
  const main = panel.root.getByRole('main');
  for (const secret of secrets) await expect(main).not.toContainText(secret);
  await panel.showTab('Headers');
  for (const secret of secrets) await expect(main).not.toContainText(secret);
  await panel.button('Reveal').first().click();
  await expect(main).toContainText(token);

  // A second life of the worker, and of the browser, must not write them either.
  await wirescope.stopWorker();
  await expect(panel.rows('worker')).toHaveCount(2);
  await wirescope.restart();
  const reopened = await (await wirescope.openPanelTab()).openCapture();
  await expect(reopened.rows('tools/call', 'echo')).toHaveCount(1);
  expect(await wirescope.end()).toEqual([]);

  expect(findTexts(wirescope.profile, secrets)).toEqual([]);
  // The same scan finds what is no secret, so it would have found one.
  expect(findTexts(wirescope.profile, [plain])).not.toEqual([]);
});
