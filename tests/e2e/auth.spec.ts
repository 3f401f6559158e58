import { DEFAULT_CONNECT } from '../../lib/port/contract.ts';
import { walks } from '../journeys.ts';
import { DOCUMENT_URL, startOidc, type Oidc } from '../server/oidc.ts';
import { findTexts } from '../support/profile-scan.ts';
import { startDisplay } from '../support/xvfb.ts';
import type { Display } from '../support/xvfb.ts';
import { ConsentPage } from './consent-page.ts';
import { expect, test as base } from './fixtures.ts';
import type { PanelPage } from './panel.ts';
import { answerPrompt } from './prompt.ts';
import { launchWirescope } from './wirescope.ts';
import type { Wirescope } from './wirescope.ts';

/** The build that users get, on a screen of its own, and a real authorization server on another host name. */
interface Scene {
  wirescope: Wirescope;
  panel: PanelPage;
  display: Display;
  oidc: Oidc;
}

const test = base.extend<object, { scene: Scene }>({
  scene: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use, workerInfo) => {
      await using oidc = await startOidc({ takesDocuments: true });
      const display = await startDisplay();
      const wirescope = await launchWirescope({
        build: 'asking',
        profile: `${workerInfo.project.outputDir}/auth-profile-${workerInfo.workerIndex}`,
        display: display.name,
      });
      const panel = await wirescope.openPanel('bottom');
      await use({ wirescope, panel, display, oidc });
      await wirescope.end();
      await display.close();
    },
    { scope: 'worker' },
  ],
});

// One login after the other: the browser keeps what it was allowed, and the servers who is logged in.
test.describe.configure({ mode: 'serial' });

/** Answers the prompt for a host that an authorization needs, by itself that of the authorization server. */
async function answerForHost(
  { panel, display }: Scene,
  answer: 'Allow' | 'Deny',
  host = 'localhost',
): Promise<void> {
  const ask = panel.connections.getByText(`Authorization needs access to ${host}`);
  await expect(ask).toBeVisible();
  await answerPrompt(
    display,
    answer,
    () => panel.button('Allow').click(),
    () => ask.isVisible(),
  );
}

test('the host of the authorization server is asked for: denied, nothing is sent to it', async ({
  scene,
}) => {
  walks('Allow or deny an authorization server');
  const { panel, display, oidc } = scene;
  const waiting = panel.connections.getByText('waiting for your permission');
  await answerPrompt(
    display,
    'Allow',
    () => panel.connect(oidc.mcp.url()),
    () => waiting.isVisible(),
  );
  const before = oidc.requests.length;
  await answerForHost(scene, 'Deny');
  await expect(panel.connections).toContainText(
    /needs access to localhost:\d+, which was not given/,
  );
  expect(oidc.requests).toHaveLength(before);
  await panel.button('Dismiss').click();
});

test('allowed: login with dynamic registration, as one chain under its request', async ({
  scene,
}) => {
  walks('Log in');
  const { panel, oidc, wirescope } = scene;
  await panel.connect(oidc.mcp.url());
  const page = await ConsentPage.openedBy(wirescope.browser.context, () =>
    answerForHost(scene, 'Allow'),
  );
  await expect(panel.connections).toContainText('Finish the login in the window of localhost');
  await page.agree();
  await expect(panel.connections).toContainText('connected');
  await expect(panel.rows('Authorization', 'logged in')).toHaveCount(1);
  expect(oidc.requests).toContain('POST /reg');
});

/** Presses something that opens a page of the authorization server. */
function openPage({ wirescope }: Scene, act: () => Promise<void>): Promise<ConsentPage> {
  return ConsentPage.openedBy(wirescope.browser.context, act);
}

/** Ends what is open, with its token, and connects once more. */
async function connectAnew(scene: Scene): Promise<ConsentPage> {
  const { panel, oidc } = scene;
  await panel.endConnections();
  await panel.button('Clear').click();
  await askBackground(panel, 'forgetCredential', oidc.mcp.url());
  return openPage(scene, () => panel.connect(oidc.mcp.url()));
}

test('an expired token is refreshed, and the request repeated, with nobody asked', async ({
  scene,
}) => {
  walks('Go on with a token that has expired');
  const { panel, oidc } = scene;
  oidc.expire();
  await panel.send('tools/list');
  await expect(panel.rows('tools/list')).toContainText('200');
  await expect(panel.rows('Authorization', 'refreshed')).toHaveCount(1);
  expect(oidc.requests.filter((request) => request === 'POST /token')).toHaveLength(2);
});

test('a scope that is missing is asked for besides those that are held', async ({ scene }) => {
  walks('Grant a scope that is missing');
  const { panel, oidc } = scene;
  const page = await openPage(scene, () => panel.send('tools/call', { name: 'write' }));
  await page.agree();
  await expect(panel.rows('tools/call', 'write')).toContainText('200');
  await expect(panel.rows('Authorization', 'stepped up')).toHaveCount(1);
  expect(oidc.asked.at(-1)?.get('scope')?.split(' ')).toEqual(
    expect.arrayContaining(['mcp:read', 'mcp:write']),
  );
});

test('a window that the user closes ends the attempt', async ({ scene }) => {
  walks('Close or deny a login');
  const { panel } = scene;
  const page = await connectAnew(scene);
  await page.close();
  await expect(panel.connections).toContainText('failed');
  await expect(panel.connections).toContainText('was closed before the login was complete');
  await expect(panel.rows('Authorization', 'closed')).toHaveCount(1);
});

test('a user who denies is taken at their word', async ({ scene }) => {
  walks('Close or deny a login');
  const { panel } = scene;
  const page = await connectAnew(scene);
  await page.refuse();
  await expect(panel.connections).toContainText('failed');
  await expect(panel.connections).toContainText('Access was denied at http://localhost');
  await expect(panel.rows('Authorization', 'denied')).toHaveCount(1);
});

test('an authorization server that goes down on the way costs this attempt only', async ({
  scene,
}) => {
  walks('Log in while the authorization server goes down');
  const { panel, oidc } = scene;
  const page = await connectAnew(scene);
  oidc.dieOf('/token');
  await page.agree();
  await expect(panel.connections).toContainText('failed');
  await expect(panel.rows('Authorization', 'failed')).toHaveCount(1);
  await oidc.start();
  await (await connectAnew(scene)).agree();
  await expect(panel.connections).toContainText('connected');
});

test('a worker that is stopped on the way says so; one click goes on with the same login', async ({
  scene,
}) => {
  walks('Go on with a login that was interrupted');
  const { panel, oidc, wirescope } = scene;
  await connectAnew(scene);
  const asked = oidc.asked.length;
  await wirescope.stopWorker();
  await expect(panel.connections).toContainText('The login was interrupted');
  expect(oidc.asked).toHaveLength(asked);
  const page = await openPage(scene, () => panel.button('Continue login').click());
  expect(oidc.asked.at(-1)?.get('state')).toBe(oidc.asked.at(-2)?.get('state'));
  await page.agree();
  await expect(panel.connections).toContainText('connected');
  await expect(panel.rows('Authorization', 'logged in')).toHaveCount(1);
});

test('a redirect to the loopback is seen in a tab before anybody could answer it', async ({
  scene,
}) => {
  walks('Log in');
  const { panel, oidc } = scene;
  await panel.endConnections();
  await panel.button('Clear').click();
  await askBackground(panel, 'forgetCredential', oidc.mcp.url());
  const auth = { grant: 'authorization-code', redirect: 'loopback' };
  await askBackground(panel, 'connect', { ...DEFAULT_CONNECT, url: oidc.mcp.url(), auth });
  const page = await openPage(scene, () => answerForHost(scene, 'Allow', '127.0.0.1:38917'));
  await page.agree();
  await expect(panel.connections).toContainText('connected');
  expect(oidc.asked.at(-1)?.get('redirect_uri')).toBe('http://127.0.0.1:38917/callback');
});

test('where its document is hosted, it is a client without being registered', async ({ scene }) => {
  walks('Log in without being registered');
  const { panel, oidc } = scene;
  await panel.endConnections();
  await panel.button('Clear').click();
  await askBackground(panel, 'forgetCredential', oidc.mcp.url());
  oidc.document = String(await askBackground(panel, 'clientMetadata', DOCUMENT_URL));
  const registrations = () => oidc.requests.filter((request) => request === 'POST /reg').length;
  const before = registrations();
  const auth = { grant: 'authorization-code', clientMetadataUrl: DOCUMENT_URL };
  const request = { ...DEFAULT_CONNECT, url: oidc.mcp.url(), auth };
  const page = await openPage(scene, async () => {
    await askBackground(panel, 'connect', request);
  });
  await page.agree();
  await expect(panel.connections).toContainText('connected');
  expect(oidc.asked.at(-1)?.get('client_id')).toBe(DOCUMENT_URL);
  expect(registrations()).toBe(before);
});

test('nothing of it that is worth stealing is on the disk', async ({ scene }) => {
  walks('Keep secrets off the disk');
  const { panel, oidc, wirescope } = scene;
  await panel.endConnections();
  expect(await wirescope.end()).toEqual([]);
  const secrets = [...oidc.secrets];
  expect(secrets.length).toBeGreaterThan(10);
  expect(findTexts(wirescope.profile, secrets)).toEqual([]);
  // The same scan finds what is no secret, so it would have found one.
  expect(findTexts(wirescope.profile, [oidc.issuer])).not.toEqual([]);
});

/** Calls the background as a page does. */
async function askBackground(
  panel: PanelPage,
  call: string,
  ...given: unknown[]
): Promise<unknown> {
  return panel.root.evaluate(
    async ([name, values]) => {
      const { runtime }: RuntimeChrome = Reflect.get(globalThis, 'chrome');
      const port = runtime.connect({ name: 'wirescope' });
      const answered = new Promise((resolve, reject) => {
        port.onMessage.addListener((message) => {
          // What it tells by itself has a name, and no id.
          if (message.id !== 1) return;
          if (message.problem === undefined) resolve(message.result);
          else reject(new Error(message.problem.message));
        });
      });
      port.postMessage({ name, args: values, id: 1 });
      const answer = await answered;
      port.disconnect();
      return answer;
    },
    [call, given] as const,
  );
}

interface RuntimeChrome {
  runtime: {
    connect(options: { name: string }): {
      postMessage(message: object): void;
      disconnect(): void;
      onMessage: {
        addListener(
          listener: (message: {
            id?: number;
            result?: unknown;
            problem?: { message: string };
          }) => void,
        ): void;
      };
    };
  };
}
