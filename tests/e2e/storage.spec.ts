import type { Page } from '@playwright/test';
import { walks } from '../journeys.ts';
import { eventsOf, readStoredBlocks } from '../support/stored-log.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';
import type { Wirescope } from './wirescope.ts';

const LONG_TEXT = 'Lorem ipsum dolor sit amet, '.repeat(12_000);

/** Sends a request of about 340 kB, and waits for its row. */
async function echo(panel: PanelPage, number: number): Promise<void> {
  await panel.send('tools/call', {
    name: 'echo',
    arguments: { message: `${number} ${LONG_TEXT}` },
  });
  await expect(panel.requests('tools/call')).toHaveCount(number);
}

function pageOf({ root }: PanelPage): Page {
  return 'page' in root ? root.page() : root;
}

/**
 * Makes the database of the running worker refuse every record, as on a full disk. The browser's own switch for
 * a quota (`Storage.overrideQuotaForOrigin`) is without effect on the database of an extension.
 */
async function refuseRecords(wirescope: Wirescope, isFull: boolean): Promise<void> {
  const worker = await wirescope.browser.worker();
  await worker.evaluate((isRefusing) => {
    const prototype = IDBObjectStore.prototype as IDBObjectStore & {
      accept?: IDBObjectStore['put'];
    };
    prototype.accept ??= prototype.put;
    prototype.put = isRefusing
      ? () => {
          throw new DOMException('Encountered full disk', 'QuotaExceededError');
        }
      : prototype.accept;
  }, isFull);
}

interface StoredLog {
  sequences: number[];
  captures: number;
}

/** Reads what is in the database by itself, not by means of the page. */
async function readStored(page: Page): Promise<StoredLog> {
  const events = eventsOf(await page.evaluate(readStoredBlocks));
  const captures = await page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error(String(request.error))));
      });
    const database = await answer(indexedDB.open('wirescope'));
    const count = await answer(database.transaction('captures').objectStore('captures').count());
    database.close();
    return count;
  });
  return { sequences: events.map(({ sequence }) => sequence), captures };
}

function expectWhole({ sequences }: StoredLog): void {
  const first = sequences[0] ?? 0;
  expect(sequences).toEqual(sequences.map((_, index) => first + index));
}

test('a full disk stops no recording: it goes on in memory, says so, and goes back by itself', async ({
  wirescope,
  everything,
}) => {
  walks('Record on a full disk');
  const panel = await wirescope.openPanelTab();
  const page = pageOf(panel);
  await panel.connectAndWait(everything.url);
  await echo(panel, 1);
  await expect(panel.capture).toContainText('stored on disk');

  await refuseRecords(wirescope, true);
  await echo(panel, 2);
  await echo(panel, 3);
  await expect(panel.rows('Recording in memory only')).toHaveCount(1);
  await expect(panel.capture).toContainText(
    /recording to disk stopped, kept in memory only since \d\d:\d\d: The disk or the quota/,
  );
  await panel.button('Captures').click();
  await expect(panel.storage.getByRole('alert')).toContainText('delete old captures');
  await page.keyboard.press('Escape');
  await expect(panel.storage).toBeHidden();
  const before = await readStored(page);

  // Another page sees what is in memory too.
  const other = await wirescope.openPanelTab();
  await expect(other.requests('tools/call')).toHaveCount(3);

  await refuseRecords(wirescope, false);
  // Nothing is sent meanwhile.
  await expect(panel.rows('Recording to disk again')).toHaveCount(1, { timeout: 15_000 });
  await expect(panel.capture).toContainText('stored on disk');
  const after = await readStored(page);
  expect(after.sequences.length).toBeGreaterThan(before.sequences.length + 10);
  expectWhole(after);
  await page.reload();
  await expect(panel.requests('tools/call')).toHaveCount(3);
});

/** Spoils the stored block that holds most events, and returns where it lies. */
async function spoilBlock(page: Page): Promise<{ first: number; last: number }> {
  return page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error(String(request.error))));
      });
    const database = await answer(indexedDB.open('wirescope'));
    const store = database.transaction('blocks', 'readwrite').objectStore('blocks');
    const blocks = (await answer(store.getAll())) as {
      captureId: string;
      firstSequence: number;
      lastSequence: number;
      eventCount: number;
      json: string;
    }[];
    const [largest] = blocks.toSorted((a, b) => b.eventCount - a.eventCount);
    if (largest === undefined) throw new Error('nothing is stored');
    const { captureId, firstSequence: first, lastSequence: last, json } = largest;
    await answer(store.put({ ...largest, json: json.slice(0, -9) }, [captureId, first]));
    database.close();
    return { first, last };
  });
}

test('a damaged block costs that block only, and a row names it', async ({
  wirescope,
  everything,
}) => {
  walks('Read a damaged capture');
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(everything.url);
  await panel.send('tools/list', {});
  await expect(panel.rows('tools/list', '200')).toHaveCount(1);
  await panel.endConnections();
  const page = pageOf(panel);
  const { first, last } = await spoilBlock(page);
  await page.reload();
  const name = `Stored events cannot be read (${first} to ${last})`;
  await expect(panel.rows(name)).toHaveCount(1);
  await expect(panel.rows(name)).toContainText('SyntaxError');
  // What lies before and behind it is there.
  await expect(panel.rows('Capture started')).toHaveCount(1);
  await expect(panel.rows('Disconnected')).toHaveCount(1);
  await panel.connectAndWait(everything.url);
  await expect(panel.rows('Connected to')).not.toHaveCount(0);
});

/** Stores the record of a large capture that began long ago. */
async function storeOldCapture(page: Page, captureId: string, sizeBytes: number): Promise<void> {
  await page.evaluate(
    async (record) => {
      const opening = indexedDB.open('wirescope');
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const transaction = opening.result.transaction('captures', 'readwrite');
      transaction.objectStore('captures').put(record);
      await new Promise((resolve) => transaction.addEventListener('complete', resolve));
      opening.result.close();
    },
    {
      captureId,
      name: `Capture ${captureId}`,
      startedAt: Date.UTC(2026, 0, 1),
      endedAt: Date.UTC(2026, 0, 2),
      lastSequence: 1,
      eventCount: 12_345,
      sizeBytes,
    },
  );
}

test('a lower limit names what goes for it, and the log says what went', async ({ wirescope }) => {
  walks('Lower the limit of storage');
  const panel = await wirescope.openPanelTab();
  await expect(panel.rows('Capture started')).toHaveCount(1);
  await storeOldCapture(pageOf(panel), 'old', 300_000_000);
  await panel.button('Captures').click();
  await expect(panel.captures).toHaveCount(2);
  await expect(panel.storage).toContainText('Captures take 300 MB of at most');
  const limit = panel.storage.getByRole('combobox', { name: 'Limit of all captures' });
  await limit.selectOption('250 MB');
  const question = panel.storage.getByRole('alertdialog');
  await expect(question).toContainText('1 capture (300 MB) will be deleted now');
  await expect(limit).toHaveValue('1000000000');
  await question.getByRole('button', { name: 'Delete for good' }).click();
  await expect(panel.captures).toHaveCount(1);
  await expect(limit).toHaveValue('250000000');
  await pageOf(panel).keyboard.press('Escape');
  const row = panel.rows('Deleted to make room: Capture old');
  await expect(row).toContainText('12,345 events, 300 MB');
});
