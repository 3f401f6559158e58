import { startDisplay } from '../support/xvfb.ts';
import type { Display } from '../support/xvfb.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';
import { launchWirescope } from './wirescope.ts';

/** Answers the browser's own prompt, which no page can see, by keys; focus starts on Deny. */
async function answerPrompt(panel: PanelPage, display: Display, isAllowed: boolean): Promise<void> {
  const hasFocus = () => panel.root.evaluate(() => document.hasFocus());
  // The prompt takes the focus from the page, and gives it back when it is answered.
  await expect.poll(hasFocus).toBe(false);
  if (isAllowed) await display.press('Tab');
  // The browser ignores Enter for a moment, lest it be meant for the page.
  await expect(async () => {
    if (!(await hasFocus())) await display.press('Return');
    await expect.poll(hasFocus, { timeout: 1500 }).toBe(true);
  }).toPass();
}

test('the real prompt: denied, nothing is sent; allowed, the same URL connects', async ({
  misbehaving,
}, testInfo) => {
  const display = await startDisplay();
  const wirescope = await launchWirescope({
    build: 'asking',
    profile: testInfo.outputPath('profile'),
    display: display.name,
  });
  const panel = await wirescope.openPanel('bottom');
  const url = misbehaving.url('ok?permission');
  const requests = () =>
    misbehaving.requests.filter((request) => request.url.endsWith('permission'));

  await panel.connect(url);
  await expect(panel.connections).toContainText('waiting for your permission to reach http://127');
  await answerPrompt(panel, display, false);
  await expect(panel.connections).toContainText('failed');
  await expect(panel.connections).toContainText(/Access to \S+ was not allowed/);
  await expect(panel.rows('Permission denied')).toHaveCount(1);
  expect(requests()).toEqual([]);

  await panel.button('Dismiss').click();
  await panel.connect(url);
  await answerPrompt(panel, display, true);
  await expect(panel.connections).toContainText('connected');
  await expect(panel.rows('Permission granted')).toHaveCount(1);
  expect(requests().length).toBeGreaterThan(0);

  await wirescope.browser.worker().then((worker) =>
    worker.evaluate(async () => {
      const { permissions }: PermissionsChrome = Reflect.get(globalThis, 'chrome');
      const { origins = [] } = await permissions.getAll();
      await permissions.remove({ origins });
    }),
  );
  await expect(panel.rows('Permission revoked')).toHaveCount(1);
  await expect(panel.connections).not.toContainText('connected');

  expect(await wirescope.end()).toEqual([]);
  await display.close();
});

interface PermissionsChrome {
  permissions: {
    getAll(): Promise<{ origins?: string[] }>;
    remove(permissions: { origins: string[] }): Promise<boolean>;
  };
}
