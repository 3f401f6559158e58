import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';
import { walks } from '../journeys.ts';
import { startPeer, type Peer } from '../server/peers.ts';
import { startWebSocketBridge, type WebSocketBridge } from '../server/websocket-bridge.ts';
import { expect, test } from './fixtures.ts';
import { PanelPage } from './panel.ts';

const CHROME_HAR = fileURLToPath(new URL('../fixtures/har/chrome-devtools.har', import.meta.url));

let sse: Peer;
let bridge: WebSocketBridge;

test.beforeAll(async () => {
  [sse, bridge] = await Promise.all([startPeer('everything-sse'), startWebSocketBridge()]);
});

test.afterAll(async () => {
  await sse[Symbol.asyncDispose]();
  await bridge.close();
});

/** Exports the capture in a line of the list, as the button says that is wanted. */
async function exportFrom(panel: PanelPage, line: Locator, path: string, isWhole = false) {
  await line.getByRole('button', { name: /^Export / }).click();
  const question = panel.storage.getByRole('alertdialog');
  if (isWhole) await question.getByRole('button', { name: 'Export with secrets…' }).click();
  const name = isWhole ? 'Export with secrets' : 'Export';
  const [download] = await Promise.all([
    panel.page.waitForEvent('download'),
    question.getByRole('button', { name, exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.mcp\.har$/);
  await download.saveAs(path);
}

/** Imports a file and opens it in a tab. */
async function openImported(panel: PanelPage, path: string): Promise<PanelPage> {
  await panel.root.getByLabel('HAR files to import').setInputFiles(path);
  await expect(panel.storage).toContainText(
    `${basename(path)} was imported. Nothing had to be put right.`,
  );
  const [tab] = await Promise.all([
    panel.page.context().waitForEvent('page'),
    panel.storage
      .getByRole('status')
      .getByRole('button', { name: /^Open / })
      .click(),
  ]);
  return new PanelPage(tab);
}

/** What stands for a secret in a file stands for it in that file only. */
function withoutPseudonyms(rows: string[][]): string[][] {
  const STAND_IN = /‹[0-9a-f]+›|redacted~[a-z-]+~[0-9a-f]{10}\**|\*{3,}/g;
  return rows.map((row) => row.map((cell) => cell.replaceAll(STAND_IN, '‹secret›')));
}

test('a capture of all transports is exported, imported again, and shows the same rows', async ({
  wirescope,
  everything,
}, info) => {
  walks('Export a capture and import it again');
  const panel = await wirescope.openPanelTab();
  for (const url of [everything.url, sse.url('/sse'), bridge.url]) {
    await panel.connectAndWait(url);
    await panel.send('tools/call', { name: 'echo', arguments: { message: 'über \u{1f600}' } });
    await expect(panel.rows('tools/call', 'echo')).not.toHaveCount(0);
    await panel.endConnections();
  }
  await panel.button('Send a request').click();
  const [, ...rows] = await panel.readWholeTable();

  await panel.button('Captures').click();
  const path = info.outputPath('exported.mcp.har');
  await exportFrom(panel, panel.captures.last(), path);
  const { log } = JSON.parse(readFileSync(path, 'utf8')) as { log: Record<string, unknown> };
  expect(Object.keys(log).filter((key) => key.startsWith('_'))).toEqual(['_mcp']);
  const again = await openImported(panel, path);
  await expect(again.capture).toContainText('imported from exported.mcp.har');
  const [, ...importedRows] = await again.readWholeTable();
  expect(withoutPseudonyms(importedRows)).toEqual(withoutPseudonyms(rows));
  expect(importedRows).not.toEqual(rows);

  // A file of ours is the same to the byte when it is written again.
  const same = info.outputPath('same.mcp.har');
  await exportFrom(panel, panel.captures.filter({ hasText: 'imported' }), same);
  expect(readFileSync(same, 'utf8')).toBe(readFileSync(path, 'utf8'));
});

test('a file of a browser with an authorization comes back to the byte, row by row', async ({
  wirescope,
}, info) => {
  walks('Export a capture and import it again');
  const panel = await wirescope.openPanelTab();
  await panel.button('Captures').click();
  await panel.root.getByLabel('HAR files to import').setInputFiles(CHROME_HAR);
  const line = panel.captures.filter({ hasText: 'imported' }).first();
  const first = info.outputPath('first.mcp.har');
  await exportFrom(panel, line, first, true);
  const tab = await openImported(panel, first);
  await expect(tab.capture).not.toContainText('reading the capture');
  const names = (await tab.readWholeTable()).map((cells) => cells.join(' '));
  expect(names.filter((name) => /Authorization/.test(name))).toHaveLength(1);
  const second = info.outputPath('second.mcp.har');
  await exportFrom(panel, panel.captures.filter({ hasText: 'imported' }).first(), second, true);
  expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'));
});

test('a file of a browser shows its connections, and what was put right', async ({ panel }) => {
  walks('Import a file of a browser');
  await panel.button('Captures').click();
  await panel.root.getByLabel('HAR files to import').setInputFiles(CHROME_HAR);
  await expect(panel.storage).toContainText('12 things had to be put right.');
  await expect(panel.captures.filter({ hasText: 'imported' })).toHaveCount(1);
  const [tab] = await Promise.all([
    panel.page.context().waitForEvent('page'),
    panel.button('Open From WebInspector').first().click(),
  ]);
  const again = new PanelPage(tab);
  await expect(again.capture).toContainText('imported from chrome-devtools.har');
  const names = (await again.readWholeTable()).map((cells) => cells.join(' '));
  const count = (name: RegExp) => names.filter((row) => name.test(row)).length;
  expect(count(/Connected to mcp-servers\/everything/)).toBe(3);
  expect(count(/Connected to ws-lab/)).toBe(1);
  expect(count(/WebSocket/)).toBeGreaterThan(0);
});

test('what is no HAR file is refused with a reason, and nothing is stored', async ({
  panel,
}, info) => {
  walks('Import what is no HAR file');
  await panel.button('Captures').click();
  await expect(panel.captures).not.toHaveCount(0);
  const before = await panel.captures.count();
  await panel.root.getByLabel('HAR files to import').setInputFiles({
    name: 'notes.txt.har',
    mimeType: 'text/plain',
    buffer: Buffer.from(`not json at all, ${info.title}`),
  });
  await expect(panel.storage.getByRole('alert')).toContainText('cannot be read as JSON');
  await expect(panel.captures).toHaveCount(before);
});
