import { walks } from '../journeys.ts';
import { startPeer } from '../server/peers.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { startDisplay } from '../support/xvfb.ts';
import type { Display } from '../support/xvfb.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';
import { answerPrompt } from './prompt.ts';
import { launchWirescope } from './wirescope.ts';
import type { Wirescope } from './wirescope.ts';

/** Connects, and answers the browser's own prompt. */
async function connectAndAnswer(
  panel: PanelPage,
  display: Display,
  url: string,
  answer: 'Allow' | 'Deny',
): Promise<void> {
  const waiting = panel.connections.getByText('waiting for your permission');
  await answerPrompt(
    display,
    answer,
    () => panel.connect(url),
    () => waiting.isVisible(),
  );
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
    walks('Allow or deny a host', 'Take a host back while connected');
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
    await expect(panel.connections).toContainText(/Access to \S+ was taken away/);

    // What was once allowed is not asked for again.
    await panel.button('Allow').click();
    await expect(panel.connections).toContainText('connected');
    await expect(panel.rows('Probed after access was granted')).toHaveCount(1);
    expect(requests().filter(({ body }) => body.includes('"initialize"'))).toHaveLength(1);
  },
);

permissionTest(
  'after the real prompt a modern server is found, and one of HTTP+SSE',
  async ({ asked: { display, asking } }) => {
    walks('Allow or deny a host', 'See how a server was found');
    await using modern = await startTinyModern();
    await using httpSse = await startPeer('everything-sse');
    const panel = await asking.openPanel('bottom');

    await connectAndAnswer(panel, display, modern.url, 'Allow');
    await expect(panel.connections).toContainText('found by server/discover');
    await expect(panel.connections).toContainText('modern 2026-07-28');

    await panel.endConnections();
    await revokeAll(asking);
    await connectAndAnswer(panel, display, httpSse.url('/sse'), 'Allow');
    await expect(panel.connections).toContainText('found by its endpoint event');
    await expect(panel.connections).toContainText('HTTP+SSE');
  },
);

interface PermissionsChrome {
  permissions: {
    getAll(): Promise<{ origins?: string[] }>;
    remove(permissions: { origins: string[] }): Promise<boolean>;
  };
}
