import type { Page } from '@playwright/test';
import { walks } from '../journeys.ts';
import { findViolations, findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

/** Heads of the lines in the list, from the top. */
async function names({ captures }: PanelPage): Promise<string[]> {
  return captures.getByRole('rowheader').allInnerTexts();
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

/** Stores captures of starts of the browser at which nothing was done. */
async function storeEmptyCaptures(page: Page, count: number): Promise<void> {
  await page.evaluate(async (howMany) => {
    const opening = indexedDB.open('wirescope');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const transaction = opening.result.transaction('captures', 'readwrite');
    for (let number = 1; number <= howMany; number += 1) {
      transaction.objectStore('captures').put({
        captureId: `empty-${number}`,
        name: `Nothing done ${number}`,
        startedAt: Date.UTC(2026, 0, number),
        lastSequence: 1,
        eventCount: 1,
        sizeBytes: 100,
      });
    }
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    opening.result.close();
  }, count);
}

async function echo(panel: PanelPage, message: string): Promise<void> {
  await panel.send('tools/call', { name: 'echo', arguments: { message } });
}

test('a capture is split while a connection lives, and the second half can be read by itself', async ({
  wirescope,
  everything,
}) => {
  walks('Split a capture');
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(everything.url);
  await echo(panel, 'before the split');
  await expect(panel.requests('tools/call')).toHaveCount(1);
  await panel.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 3, steps: 3 },
  });
  const long = (page: PanelPage) => page.rows('tools/call', 'trigger-long-running-operation');
  await expect(long(panel)).toContainText('pending');
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
  await expect(panel.requests('tools/call')).toHaveCount(3);
  await expect(panel.rows('Capture split')).toHaveCount(1);
  await expect(long(panel)).toContainText('200');
  await expect(long(panel)).not.toContainText('pending');
  await panel.endConnections();
  await panel.page.reload();
  await expect(panel.requests('tools/call')).toHaveCount(2);
  await expect(long(panel)).toContainText('200');
  await expect(panel.rows('GET stream', '200 · closed')).toHaveCount(1);
  await panel.select('tools/call', 'echo');
  await expect(panel.details).toContainText('after the split');
  // The first half is whole too, with the end of what was under way.
  const earlier = await panel.openCapture(0);
  await expect(earlier.requests('tools/call')).toHaveCount(2);
  await expect(long(earlier)).toContainText('200');
  await expect(long(earlier)).not.toContainText('pending');
  await expect(earlier.rows('Capture split')).toHaveCount(1);
  await expect(earlier.capture).toContainText('stored earlier');
});

test('captures are named, tagged, sorted, copied, pinned, opened, and deleted with a way back', async ({
  wirescope,
  everything,
}) => {
  walks('Name, pin, copy and delete captures');
  const panel = await wirescope.openPanelTab();
  const { page, root } = panel;
  await panel.connectAndWait(everything.url);
  await echo(panel, 'what is broken');
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
  const [exchanges, errors] = [named.getByRole('cell').nth(2), named.getByRole('cell').nth(3)];
  await expect(exchanges).toHaveText(/^[1-9]\d*$/);
  await expect(errors).toHaveText('0');

  const byName = panel.storage.getByRole('button', { name: 'Name', exact: true });
  await byName.click();
  expect((await names(panel))[0]).toContain('Broken echo');
  await byName.click();
  expect((await names(panel))[1]).toContain('Broken echo');

  await named.getByRole('button', { name: 'Search for the tag bug' }).click();
  await expect(root.getByRole('list', { name: 'Captures with matches' })).toContainText(
    'matches in its tag bug',
  );
  await root.getByRole('searchbox', { name: 'Search all captures' }).fill('');

  await panel.inCaptureMenu(named, 'Duplicate');
  const copy = panel.captures.filter({ hasText: 'Copy of Broken echo' });
  await expect(copy.getByRole('checkbox', { name: /^Pin / })).toBeChecked();
  await copy.getByRole('checkbox', { name: /^Pin / }).uncheck();
  await panel.inCaptureMenu(copy, 'Delete');
  await expect(copy).toHaveCount(0);
  expect(await readStored(page)).toEqual({ captures: 3, descriptions: 3 });
  await panel.button('Undo').click();
  await expect(copy).toHaveCount(1);
  await expect(copy.getByRole('checkbox', { name: /^Pin / })).not.toBeChecked();

  await panel.inCaptureMenu(copy, 'Delete');
  await panel.button('Close').click();
  await expect(panel.rows('Deleted: Copy of Broken echo')).toContainText('by the user');
  await panel.button('Captures').click();
  await expect(panel.captures).toHaveCount(2);
  expect(await readStored(page)).toEqual({ captures: 2, descriptions: 2 });

  await panel.button('Close').click();
  await storeEmptyCaptures(page, 3);
  await panel.button('Captures').click();
  await expect(panel.storage).toContainText('3 captures hold no traffic.');
  await panel.button('Delete them').click();
  await expect(panel.captures).toHaveCount(2);
  await expect(panel.button('Undo')).toBeFocused();
  await panel.button('Undo').click();
  await expect(panel.captures).toHaveCount(5);
  await panel.button('Delete them').click();
  await panel.button('Close').click();
  await expect(panel.rows('Deleted: Nothing done')).toHaveCount(3);
  await panel.button('Captures').click();
  await expect(panel.captures).toHaveCount(2);

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

test('two captures are compared: what was answered, and what the servers offer', async ({
  wirescope,
  everything,
}) => {
  walks('Compare captures');
  const panel = await wirescope.openPanelTab();
  const { root, page } = panel;
  await panel.connectAndWait(everything.url);
  await panel.send('tools/list', {});
  await echo(panel, 'first run');
  await expect(panel.requests('tools/call')).toHaveCount(1);
  await panel.endConnections();
  await panel.button('Captures').click();
  await panel.button('Start a new capture').click();
  await expect(panel.captures).toHaveCount(2);
  await page.keyboard.press('Escape');
  await panel.connectAndWait(everything.url);
  await panel.send('tools/list', {});
  await echo(panel, 'second run');
  await expect(panel.requests('tools/call')).toHaveCount(2);
  await panel.send('ping');
  await expect(panel.requests('ping')).toHaveCount(1);
  await panel.endConnections();
  await panel.button('Captures').click();

  await panel.captures
    .nth(0)
    .getByRole('checkbox', { name: /^Compare / })
    .check();
  await expect(panel.storage).toContainText('choose a second capture');
  await panel.captures
    .nth(1)
    .getByRole('checkbox', { name: /^Compare / })
    .check();
  await panel.button('Compare').click();
  const comparison = root.getByRole('region', { name: 'Comparison', exact: true });
  await expect(comparison.getByRole('status', { name: 'Comparing' })).toContainText(
    // A busy machine may make another one slow.
    /[1-9] of them changed · 1 only in the first · 1 only in the second · 0 definitions changed/,
  );
  const list = root.getByRole('listbox', { name: 'Exchanges' });
  const option = (name: string) => list.getByRole('option').filter({ hasText: name });
  await expect(option('tools/call')).toContainText('changed');
  await expect(option('tools/call')).toContainText('answer, params');
  await expect(option('ping')).toContainText('only in the second');
  // What an earlier connection has found out is not asked again.
  await expect(option('server/discover')).toContainText('only in the first');
  await expect(option('tools/list').filter({ hasText: /answer|params/ })).toHaveCount(0);

  await list.focus();
  await page.keyboard.press('Home');
  await option('tools/call').click();
  const detail = root.getByRole('region', { name: 'Comparison of tools/call echo' });
  const answer = detail.getByRole('table', { name: 'Answer' });
  await expect(answer).toContainText('first run');
  await expect(answer).toContainText('second run');
  expect(await findViolationsInThemes(page)).toEqual([]);
  await detail.getByRole('button', { name: 'Next' }).click();
  await expect(answer.getByRole('row').filter({ hasText: 'first run' })).toBeFocused();
  await detail.getByRole('button', { name: 'Next' }).click();
  const params = detail.getByRole('table', { name: 'Params' });
  await expect(params.getByRole('row').filter({ hasText: 'first run' })).toBeFocused();
  await page.keyboard.press('p');
  await expect(answer.getByRole('row').filter({ hasText: 'first run' })).toBeFocused();

  await root.getByRole('checkbox', { name: 'Only differences' }).uncheck();
  await expect(option('tools/list')).toHaveCount(1);
  await root.getByRole('tab', { name: /^Definitions/ }).click();
  await expect(comparison.getByText('tool echo')).toBeVisible();
  await root.getByRole('checkbox', { name: 'Only differences' }).check();
  await expect(comparison).toContainText('No definition differs.');
  await root.getByRole('tab', { name: /^Exchanges/ }).click();
  await root.getByRole('checkbox', { name: 'Ignore ids and times' }).uncheck();
  await expect(option('initialize')).toContainText('response headers');
  await panel.button('Swap').click();
  await expect(option('ping')).toContainText('only in the first');

  // A side leads to its exchange in its capture.
  await option('tools/call').click();
  await detail.getByRole('button', { name: 'Open in the second' }).click();
  await expect(panel.details).toContainText('first run');
  await expect(panel.capture).toContainText('stored earlier');
});

test('a text is found in all captures, and leads to its row in its capture', async ({
  wirescope,
  everything,
}) => {
  walks('Search all captures');
  // In DevTools, whose panel goes from one capture to the other.
  const panel = await wirescope.openPanel();
  const { root, page } = panel;
  await panel.connectAndWait(everything.url);
  await echo(panel, 'a needle in the first');
  await expect(panel.requests('tools/call')).toHaveCount(1);
  await panel.button('Captures').click();
  await panel.button('Start a new capture').click();
  await expect(panel.captures).toHaveCount(2);
  await page.keyboard.press('Escape');
  await echo(panel, 'hay in the second');
  await expect(panel.requests('tools/call')).toHaveCount(2);
  await panel.endConnections();
  await panel.button('Captures').click();
  const field = root.getByRole('searchbox', { name: 'Search all captures' });
  await field.fill('needle in');
  const status = root.getByRole('status', { name: 'Search of captures' });
  await expect(status).toHaveText('Found in 1 capture, 2 matches in traffic.');
  expect(await findViolations(root)).toEqual([]);
  const hits = root.getByRole('list', { name: 'Captures with matches' });

  // What is in this capture opens at once; the first row of another one with its page.
  await field.fill('hay in the second');
  await hits.getByRole('button', { name: /tools\/call echo.*hay in the second/ }).click();
  await expect(panel.storage).toBeHidden();
  await expect(panel.details).toContainText('hay in the second');

  await panel.button('Captures').click();
  await field.fill('needle in');
  await expect(hits).toContainText('a needle in the first');
  await expect(status).toHaveText('Found in 1 capture, 2 matches in traffic.');
  await field.press('ArrowDown');
  await page.keyboard.press('Tab');
  const hit = hits.getByRole('button', { name: /a needle in the first/ });
  await expect(hit).toBeFocused();
  // By a click: a key that replaces the page is not always told to be done.
  await hit.click();
  await expect(root.getByRole('complementary', { name: 'Stored capture' })).toBeVisible();
  await expect(panel.details).toContainText('a needle in the first');

  await panel.button('Captures').click();
  await field.fill('nowhere at all');
  await expect(status).toHaveText('Nothing found.');
  await field.fill('');
  await expect(panel.captures).toHaveCount(2);
});
