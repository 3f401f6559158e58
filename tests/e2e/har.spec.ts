import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from './fixtures.ts';
import { PanelPage } from './panel.ts';

const CHROME_HAR = fileURLToPath(new URL('../fixtures/har/chrome-devtools.har', import.meta.url));

test('a capture is exported, imported again, and shows the same rows', async ({
  wirescope,
  everything,
}, info) => {
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'über \u{1f600}' } });
  await expect(panel.rows('tools/call', 'echo', '200')).toHaveCount(1);
  await panel.endConnections();
  await panel.button('Send a request').click();
  const [, ...rows] = await panel.readWholeTable();

  await panel.button('Captures').click();
  await panel.captures
    .last()
    .getByRole('button', { name: /^Export / })
    .click();
  const [download] = await Promise.all([
    panel.page.waitForEvent('download'),
    panel.storage
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Export', exact: true })
      .click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.mcp\.har$/);
  const path = info.outputPath('exported.mcp.har');
  await download.saveAs(path);
  const { log } = JSON.parse(readFileSync(path, 'utf8')) as { log: Record<string, unknown> };
  expect(Object.keys(log).filter((key) => key.startsWith('_'))).toEqual(['_mcp']);

  await panel.root.getByLabel('HAR files to import').setInputFiles(path);
  await expect(panel.storage).toContainText('was imported. Nothing had to be put right.');
  const [tab] = await Promise.all([
    panel.page.context().waitForEvent('page'),
    panel.storage
      .getByRole('status')
      .getByRole('button', { name: /^Open / })
      .click(),
  ]);
  const again = new PanelPage(tab);
  await expect(again.capture).toContainText('imported from exported.mcp.har');
  const [, ...importedRows] = await again.readWholeTable();
  // What stands for a secret in a file stands for it in that file only.
  const plain = (cells: string[][]) =>
    cells.map((row) => row.map((cell) => cell.replace(/‹[0-9a-f]+›/, '‹secret›')));
  expect(plain(importedRows)).toEqual(plain(rows));
  expect(importedRows).not.toEqual(rows);
});

test('a file of a browser shows its connections, and what was put right', async ({ panel }) => {
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
