import { readFileSync } from 'node:fs';
import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';

interface ManagementChrome {
  management: { getPermissionWarningsByManifest(manifest: string): Promise<string[]> };
}

test('installing causes the one warning that a DevTools page itself causes', async ({ shared }) => {
  walks('Install the extension');
  const manifest = readFileSync('.output/chrome-mv3/manifest.json', 'utf8');
  const bare = JSON.stringify({
    manifest_version: 3,
    name: 'Bare',
    version: '1',
    devtools_page: 'devtools.html',
  });
  const page = await shared.browser.context.newPage();
  await page.goto(shared.browser.pageUrl('popup.html'));
  const warningsOf = (text: string) =>
    page.evaluate((json) => {
      const { management }: ManagementChrome = Reflect.get(globalThis, 'chrome');
      return management.getPermissionWarningsByManifest(json);
    }, text);
  const warnings = await warningsOf(manifest);
  expect(warnings).toEqual(['Read and change all your data on all websites']);
  expect(warnings).toEqual(await warningsOf(bare));
});

test('the manifest asks for no host at install and for nothing that warns', () => {
  walks('Install the extension');
  const manifest: Record<string, unknown> = JSON.parse(
    readFileSync('.output/chrome-mv3/manifest.json', 'utf8'),
  );
  expect(manifest['permissions']).toEqual([
    'alarms',
    'declarativeNetRequestWithHostAccess',
    'identity',
    'offscreen',
    'storage',
    'unlimitedStorage',
    'webRequest',
  ]);
  expect(manifest).not.toHaveProperty('host_permissions');
  expect(manifest['incognito']).toBe('not_allowed');
  expect(manifest['optional_host_permissions']).toEqual(['*://*/*', 'ws://*/*', 'wss://*/*']);
  expect(manifest['content_security_policy']).toEqual({
    extension_pages:
      "script-src 'self'; object-src 'self'; img-src 'self' data: blob:; media-src data: blob:",
  });
});
