import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

interface Case {
  /** Path at the misbehaving server. */
  path: string;
  /** What the message must name. */
  names: RegExp;
}

/** The connection fails: nothing else is to be had at this URL. */
const CONNECT: Case[] = [
  { path: 'web-page', names: /web page/ },
  { path: 'redirect-301', names: /redirect/i },
  { path: 'redirect-302', names: /redirect/i },
  { path: 'redirect-303', names: /redirect/i },
  { path: 'redirect-loop', names: /redirect/i },
  { path: 'redirect-cross-origin', names: /redirect/i },
  { path: 'redirect-bad-location', names: /redirect/i },
  { path: 'redirect-no-location', names: /redirect/i },
  { path: 'status-400-rpc', names: /App is not enabled/ },
  { path: 'status-400-text', names: /No such workspace/ },
  { path: 'status-401', names: /401/ },
  { path: 'status-404', names: /404/ },
  { path: 'status-405', names: /405/ },
  { path: 'status-406', names: /406/ },
  { path: 'status-415', names: /415/ },
  { path: 'status-429', names: /429/ },
  { path: 'status-500-html', names: /500/ },
  { path: 'status-503', names: /503/ },
  { path: 'no-content-type?at=initialize', names: /type/i },
  { path: 'text-plain?at=initialize', names: /text\/plain/ },
  { path: 'octet-stream?at=initialize', names: /octet-stream/ },
  { path: 'accepted-202-request?at=initialize', names: /202/ },
  { path: 'empty-200?at=initialize', names: /empty|no body/i },
  { path: 'not-json?at=initialize', names: /JSON/ },
  { path: 'sse-no-response?at=initialize', names: /stream|response/i },
  { path: 'sse-empty?at=initialize', names: /stream|response/i },
  { path: 'reset?at=initialize', names: /reset|closed|cut|received/i },
  { path: 'version-unknown', names: /2099-01-01/ },
];

/** The call fails, and the connection lives on. */
const CALL: Case[] = [{ path: 'no-content-type', names: /type/i }];

test.beforeEach(async ({ shared }) => {
  for (const page of shared.browser.context.pages().slice(1)) await page.close();
});

async function openCleanPanel(panel: PanelPage): Promise<void> {
  await panel.button('Clear').click();
}

for (const { path, names } of CONNECT) {
  test(`connecting to ${path} fails and says why`, async ({ shared, misbehaving }) => {
    const panel = await shared.openPanelTab();
    await openCleanPanel(panel);
    await panel.connect(misbehaving.url(path));
    await expect(panel.connections).toContainText('failed');
    console.log(path, '|', (await panel.connections.innerText()).replaceAll('\n', ' | '));
    await expect.soft(panel.connections).toContainText(names);
    await expect(panel.connections).not.toContainText('Failed to fetch');
    console.log((await panel.readTable()).map((r) => r.slice(2, 5).join(' ; ')).join('\n     '));
    await panel.button('Dismiss').click();
    await expect(panel.connections).toBeEmpty();
  });
}
