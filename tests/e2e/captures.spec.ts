import type { Page } from '@playwright/test';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

/** Names in the list, from the top. */
async function names({ captures }: PanelPage): Promise<string[]> {
  return captures.locator('.capture-title').allInnerTexts();
}

/** How many captures and how many words about them are in the database, not by means of the product. */
async function readStored(page: Page): Promise<{ captures: number; descriptions: number }> {
  return page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error(String(request.error))));
      });
    const database = await answer(indexedDB.open('wirescope'));
    const count = (name: string) => answer(database.transaction(name).objectStore(name).count());
    const counts = {
      captures: await count('captures'),
      descriptions: await count('descriptions'),
    };
    database.close();
    return counts;
  });
}

async function echo(panel: PanelPage, message: string): Promise<void> {
  await panel.send('tools/call', { name: 'echo', arguments: { message } });
}

test('a capture is split while a connection lives, and the second half can be read by itself', async ({
  wirescope,
  everything,
}) => {
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(everything.url);
  await echo(panel, 'before the split');
  await expect(panel.requests('tools/call')).toHaveCount(1);
  await panel.button('Captures').click();
  await expect(panel.captures).toHaveCount(1);
  await expect(panel.captures).toContainText('being recorded');
  await expect(panel.captures).toContainText('mcp-servers/everything');
  await panel.button('Start a new capture').click();
  await expect(panel.captures).toHaveCount(2);
  await expect(panel.storage).toContainText('A new capture has begun.');
  const [current, first] = [panel.captures.nth(0), panel.captures.nth(1)];
  await expect(current).toContainText('being recorded');
  await expect(current).toContainText('second half');
  await expect(first).not.toContainText('being recorded');
  await panel.page.keyboard.press('Escape');

  // What is live goes on in the table as if nothing had happened.
  await echo(panel, 'after the split');
  await expect(panel.requests('tools/call')).toHaveCount(2);
  await expect(panel.rows('Capture split')).toHaveCount(1);
  await panel.endConnections();
  await panel.page.reload();
  await expect(panel.requests('tools/call')).toHaveCount(1);
  await expect(panel.rows('GET stream', '200 · closed')).toHaveCount(1);
  await panel.select('tools/call', 'echo');
  await expect(panel.details).toContainText('after the split');
  // The first half is whole too.
  const earlier = await panel.openCapture(0);
  await expect(earlier.requests('tools/call')).toHaveCount(1);
  await expect(earlier.rows('Capture split')).toHaveCount(1);
  await expect(earlier.capture).toContainText('stored earlier');
});

test('captures are named, tagged, sorted, copied, pinned, opened, and deleted with a way back', async ({
  wirescope,
  everything,
}) => {
  const panel = await wirescope.openPanelTab();
  const { page, root } = panel;
  await panel.connectAndWait(everything.url);
  await echo(panel, 'x'.repeat(20_000));
  await expect(panel.requests('tools/call')).toHaveCount(1);
  await panel.button('Captures').click();
  await panel.button('Start a new capture').click();
  await expect(panel.captures).toHaveCount(2);
  await panel.endConnections();

  await panel.inCaptureMenu(panel.captures.nth(1), 'Name, tags and note…');
  expect(await findViolations(root)).toEqual([]);
  await panel.dialog.getByRole('textbox', { name: 'Name' }).fill('Broken echo');
  await panel.dialog.getByRole('textbox', { name: /^Tags/ }).fill('bug, staging');
  await panel.dialog.getByRole('textbox', { name: 'Note' }).fill('Fails since Monday.');
  await panel.dialog.getByRole('button', { name: 'Save' }).click();
  const named = panel.captures.filter({ hasText: 'Broken echo' });
  await expect(named).toContainText('bug');
  await expect(named).toContainText('staging');
  await expect(named).toContainText('Fails since Monday.');
  // Requests of either side, and what failed.
  await expect(named.locator('.capture-exchanges')).toHaveText(/^[1-9]\d*$/);
  await expect(named.locator('.capture-errors')).toHaveText('0');

  const byName = panel.storage.getByRole('button', { name: 'Name', exact: true });
  await byName.click();
  expect((await names(panel))[0]).toBe('Broken echo');
  await byName.click();
  expect((await names(panel))[1]).toBe('Broken echo');

  await panel.inCaptureMenu(named, 'Duplicate');
  const copy = panel.captures.filter({ hasText: 'Copy of Broken echo' });
  await expect(copy.getByRole('checkbox', { name: /^Pin / })).toBeChecked();
  await copy.getByRole('checkbox', { name: /^Pin / }).uncheck();
  await panel.inCaptureMenu(copy, 'Delete');
  await expect(copy).toHaveCount(0);
  expect(await readStored(page)).toEqual({ captures: 3, descriptions: 3 });
  await panel.button('Undo deleting Copy of Broken echo').click();
  await expect(copy).toHaveCount(1);
  await expect(copy.getByRole('checkbox', { name: /^Pin / })).not.toBeChecked();

  await panel.inCaptureMenu(copy, 'Delete');
  await panel.button('Close').click();
  await expect(panel.rows('Deleted: Copy of Broken echo')).toContainText('by the user');
  await panel.button('Captures').click();
  await expect(panel.captures).toHaveCount(2);
  expect(await readStored(page)).toEqual({ captures: 2, descriptions: 2 });

  await panel.button('Open Broken echo').click();
  const notice = root.getByRole('complementary', { name: 'Stored capture' });
  await expect(notice).toContainText('“Broken echo” is shown as it was recorded.');
  await expect(panel.requests('tools/call')).toHaveCount(1);
  expect(await findViolations(root)).toEqual([]);
  await panel.button('Captures').click();
  await expect(named).toContainText('shown here');
  await panel.button('Back to live').click();
  await expect(notice).toBeHidden();
  await expect(panel.rows('Deleted: Copy of Broken echo')).toHaveCount(1);
});
