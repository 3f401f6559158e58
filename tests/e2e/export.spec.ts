import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Download } from '@playwright/test';
import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const SECRET = 'r7Kx2mQ9vB4nT1zL8pWd';
const SCRIPT = '</script><img src=x onerror="document.title=1">';

async function ask(panel: PanelPage) {
  await panel.button('Captures').click();
  await panel.captures
    .last()
    .getByRole('button', { name: /^Export / })
    .click();
  const question = panel.storage.getByRole('alertdialog');
  await expect(question).toBeVisible();
  return question;
}

async function save(panel: PanelPage, press: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([panel.page.waitForEvent('download'), press()]);
  return download;
}

test('what will be hidden is shown one by one, and left in only where that is wanted', async ({
  wirescope,
  everything,
}, info) => {
  walks('Review what an export hides');
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', { name: 'echo', arguments: { message: `Bearer ${SECRET}` } });
  await panel.send('tools/call', { name: 'echo', arguments: { password: 'kept-by-a-wish' } });
  await expect(panel.rows('tools/call', 'echo')).toHaveCount(2);
  await panel.endConnections();
  await panel.button('Send a request').click();

  let question = await ask(panel);
  await expect(question).toContainText('2 values will be hidden: 1 password, 1 token.');
  await question.getByText('Look at what was found').click();
  await expect(question).not.toContainText(SECRET);
  await question.getByRole('button', { name: /^Show the token/ }).click();
  await expect(question).toContainText(SECRET);
  await question.getByRole('checkbox', { name: /^Hide the password/ }).uncheck();
  await expect(question).toContainText('1 value will be hidden: 1 token.');

  // A rule of the user's own finds more.
  await question.getByText('Rules of your own').click();
  await question.getByRole('button', { name: 'Add a rule' }).click();
  await question.getByLabel('Kind of rule 1').selectOption('text');
  await question.getByRole('textbox', { name: 'Rule 1' }).fill('mcp-servers/everything');
  // What was found by other rules is not what would be hidden now.
  await expect(question.getByRole('button', { name: 'Export', exact: true })).toBeDisabled();
  await question.getByRole('button', { name: 'Look again with these rules' }).click();
  question = panel.storage.getByRole('alertdialog');
  await expect(question).toContainText('1 value by a rule of yours');
  await question.getByText('Rules of your own (1)').click();
  await question.getByRole('button', { name: 'Remove rule 1' }).click();
  await question.getByRole('button', { name: 'Look again with these rules' }).click();
  await expect(panel.storage.getByRole('alertdialog')).toContainText('2 values will be hidden');

  question = panel.storage.getByRole('alertdialog');
  await question.getByText('Look at what was found').click();
  await question.getByRole('checkbox', { name: /^Hide the password/ }).uncheck();
  const kept = info.outputPath('kept.mcp.har');
  const press = () => question.getByRole('button', { name: 'Export', exact: true }).click();
  await (await save(panel, press)).saveAs(kept);
  expect(readFileSync(kept, 'utf8')).toContain('kept-by-a-wish');
  expect(readFileSync(kept, 'utf8')).not.toContain(SECRET);

  // What holds secrets takes a second step.
  await panel.button('Close').click();
  question = await ask(panel);
  await question.getByRole('button', { name: 'Export with secrets…' }).click();
  await expect(question).toContainText('Whoever gets the file can use them.');
  const bare = info.outputPath('bare.mcp.har');
  const confirm = () => question.getByRole('button', { name: 'Export with secrets' }).click();
  await (await save(panel, confirm)).saveAs(bare);
  expect(readFileSync(bare, 'utf8')).toContain(SECRET);
});

test('only what the filter shows is written, without contents where that is wanted', async ({
  wirescope,
  everything,
}, info) => {
  walks('Export a part of a capture');
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'quite private' } });
  await expect(panel.rows('tools/call', 'echo', '200')).toHaveCount(1);
  await panel.endConnections();
  await panel.button('Send a request').click();
  await panel.root.getByRole('combobox', { name: 'Filter' }).fill('tool:echo');
  await expect(panel.rows()).toHaveCount(1);
  const question = await ask(panel);
  await expect(question).toContainText('the 1 that the filter shows');
  await question.getByLabel('Contents of messages').selectOption('structure-only');
  const path = info.outputPath('part.mcp.har');
  const press = () => question.getByRole('button', { name: 'Export', exact: true }).click();
  await (await save(panel, press)).saveAs(path);
  const { log } = JSON.parse(readFileSync(path, 'utf8'));
  expect(log._mcp.selection).toMatchObject({ entries: 1 });
  expect(log._mcp.redaction.profile).toBe('structure-only');
  expect(JSON.stringify(log)).not.toContain('quite private');
  expect(log.entries[0].request.postData.text).toContain('"name":"echo"');
});

test('a page to read holds everything, loads nothing, and runs nothing of what servers said', async ({
  wirescope,
  everything,
}, info) => {
  walks('Export a page to read');
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', { name: 'echo', arguments: { message: SCRIPT } });
  await expect(panel.rows('tools/call', 'echo', '200')).toHaveCount(1);
  await panel.endConnections();
  await panel.button('Send a request').click();
  const question = await ask(panel);
  await question.getByRole('combobox', { name: 'As', exact: true }).selectOption('html');
  const path = info.outputPath('page.html');
  const press = () => question.getByRole('button', { name: 'Export', exact: true }).click();
  const download = await save(panel, press);
  expect(download.suggestedFilename()).toMatch(/\.html$/);
  await download.saveAs(path);

  const page = await wirescope.browser.context.newPage();
  const requested: string[] = [];
  const refused: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => refused.push(message.text()));
  await page.goto(pathToFileURL(path).href);
  const rows = page.locator('details.row');
  const count = await rows.count();
  expect(count).toBeGreaterThan(3);
  await page.getByRole('searchbox', { name: 'Search' }).fill('tools/call ONERROR');
  await expect(page.locator('#count')).toHaveText(`1 of ${count}`);
  await page.locator('details.row:not([hidden]) summary').click();
  await expect(page.locator('details.row[open]')).toContainText('</script><img src=x onerror=');
  await expect(page.locator('img')).toHaveCount(0);
  await expect(page).toHaveTitle(/^Capture of/);
  await page.keyboard.press('Escape');
  expect(requested).toEqual([pathToFileURL(path).href]);
  expect(refused).toEqual([]);
});
