import { startPeer } from '../server/peers.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { startDisplay } from '../support/xvfb.ts';
import type { Display } from '../support/xvfb.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';
import { launchWirescope } from './wirescope.ts';
import type { Wirescope } from './wirescope.ts';

/** Rows of the screen above the panel, where the browser draws its prompt. */
const PROMPT_ROWS = 450;

/** The browser enables Allow half a second after it has drawn the prompt. */
const REST_MS = 800;

/** Waits until the screen has been at rest for a while; resolves with what is seen. */
async function readSettled(display: Display): Promise<Buffer> {
  let last = display.readTop(PROMPT_ROWS);
  let since = Date.now();
  const isSettled = () => {
    const now = display.readTop(PROMPT_ROWS);
    if (!now.equals(last)) since = Date.now();
    last = now;
    return Date.now() - since >= REST_MS;
  };
  await expect.poll(isSettled, { intervals: [50], message: 'the screen is at rest' }).toBe(true);
  return last;
}

/** Connects, and answers the browser's own prompt, which no page can see, by keys; the focus starts on Deny. */
async function connectAndAnswer(
  panel: PanelPage,
  display: Display,
  url: string,
  answer: 'Allow' | 'Deny',
): Promise<void> {
  const blank = await readSettled(display);
  await panel.connect(url);
  const hasChangedFrom = (before: Buffer) => () => !display.readTop(PROMPT_ROWS).equals(before);
  await expect.poll(hasChangedFrom(blank), { message: 'the prompt is drawn' }).toBe(true);
  const prompt = await readSettled(display);
  if (answer === 'Allow') {
    await display.press('Tab');
    await expect.poll(hasChangedFrom(prompt), { message: 'the focus moves' }).toBe(true);
  }
  const waiting = panel.connections.getByText('waiting for your permission');
  // The browser ignores Enter for a moment, lest it be meant for the page.
  await expect(async () => {
    if (await waiting.isVisible()) await display.press('Return');
    await expect(waiting).toBeHidden({ timeout: 1500 });
  }).toPass();
}

/** Takes back every host, as the user can in the browser's settings. */
async function revokeAll({ browser }: Wirescope): Promise<void> {
  const worker = await browser.worker();
  await worker.evaluate(async () => {
    const { permissions }: PermissionsChrome = Reflect.get(globalThis, 'chrome');
    const { origins = [] } = await permissions.getAll();
    await permissions.remove({ origins });
  });
}

const permissionTest = test.extend<{ asked: { display: Display; asking: Wirescope } }>({
  /** The build that users get, on a screen of its own. */
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  asked: async ({}, use, testInfo) => {
    const display = await startDisplay();
    const asking = await launchWirescope({
      build: 'asking',
      profile: testInfo.outputPath('profile'),
      display: display.name,
    });
    await use({ display, asking });
    const problems = await asking.end();
    await display.close();
    expect(problems).toEqual([]);
  },
});

permissionTest(
  'the real prompt: denied, nothing is sent; allowed, the same URL connects',
  async ({ asked: { display, asking }, misbehaving }) => {
    const panel = await asking.openPanel('bottom');
    const url = misbehaving.url('ok?permission');
    const requests = () =>
      misbehaving.requests.filter((request) => request.url.endsWith('permission'));

    await connectAndAnswer(panel, display, url, 'Deny');
    await expect(panel.connections).toContainText('failed');
    await expect(panel.connections).toContainText(/Access to \S+ was not allowed/);
    await expect(panel.rows('Permission denied')).toHaveCount(1);
    expect(requests()).toEqual([]);

    await panel.button('Dismiss').click();
    await connectAndAnswer(panel, display, url, 'Allow');
    await expect(panel.connections).toContainText('connected');
    await expect(panel.rows('Permission granted')).toHaveCount(1);
    expect(requests().length).toBeGreaterThan(0);

    await revokeAll(asking);
    await expect(panel.rows('Permission revoked')).toHaveCount(1);
    await expect(panel.connections).not.toContainText('connected');
  },
);

permissionTest(
  'after the real prompt a modern server is found, and one of HTTP+SSE',
  async ({ asked: { display, asking } }) => {
    await using modern = await startTinyModern();
    await using httpSse = await startPeer('everything-sse');
    const panel = await asking.openPanel('bottom');

    await connectAndAnswer(panel, display, modern.url, 'Allow');
    await expect(panel.connections).toContainText('found by server/discover');
    await expect(panel.connections).toContainText('modern 2026-07-28');

    await panel.endConnections();
    await revokeAll(asking);
    await connectAndAnswer(panel, display, httpSse.url('/sse'), 'Allow');
    await expect(panel.connections).toContainText('found by its `endpoint` event');
    await expect(panel.connections).toContainText('HTTP+SSE');
  },
);

interface PermissionsChrome {
  permissions: {
    getAll(): Promise<{ origins?: string[] }>;
    remove(permissions: { origins: string[] }): Promise<boolean>;
  };
}
