import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { readClipboard } from './clipboard.ts';
import type { Firefox } from './firefox.ts';
import { openPanelTab, startPanel, type Panel } from './panel.ts';
import { grantHost, readErrors, refuseRecords, saveDownloadsTo } from './privileged.ts';

const SECRET = 'r7Kx2mQ9vB4nT1zL8pWd';
const SCRIPT = '</script><img src=x onerror="document.title=1">';
const LONG_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 0.4, steps: 2 },
  _meta: { progressToken: 'diagram' },
};

// One browser and one story: each test goes on where the one before it has ended.
const downloads = mkdtempSync(join(tmpdir(), 'wirescope-downloads-'));
let everything: Awaited<ReturnType<typeof startEverything>>;
let misbehaving: MisbehavingServer;
let firefox: Firefox;
let panel: Panel;

beforeAll(async () => {
  everything = await startEverything();
  misbehaving = await startMisbehaving();
  ({ firefox, panel } = await startPanel());
  await grantHost(firefox, 'http://127.0.0.1/*');
  await saveDownloadsTo(firefox, downloads);
});

afterAll(async () => {
  await firefox?.quit();
  await misbehaving?.close();
  await everything?.close();
  rmSync(downloads, { recursive: true, force: true });
});

const screen = () => panel.role('region', 'Captures');
const lines = () => panel.role('table', 'Captures').role('row').holding('cell');
const question = () => screen().role('alertdialog');

async function openCaptures(): Promise<void> {
  if ((await screen().texts()).length === 0) await panel.button('Captures').click();
  await lines().appears();
}

async function inMenu(line: ReturnType<typeof lines>, entry: string): Promise<void> {
  await line.role('button', /^More for /).click();
  await panel.role('menu').role('menuitem', entry).click();
}

/** Presses what saves a file; resolves with its path once it is whole. */
async function saved(press: () => Promise<void>): Promise<string> {
  const before = readdirSync(downloads);
  await press();
  const isNew = (name: string) => !before.includes(name) && !name.endsWith('.part');
  const found = () => readdirSync(downloads).filter(isNew);
  await expect.poll(found, { timeout: 10_000 }).toHaveLength(1);
  const path = join(downloads, found()[0] ?? '');
  await expect.poll(() => readFileSync(path, 'utf8').length).toBeGreaterThan(0);
  return path;
}

const exportNow = () => saved(() => question().role('button', 'Export').click());

test('an empty panel leads to an example, and from there back to what is live', async () => {
  walks('Start with an example');
  const steps = panel.role('region', 'Getting started');
  await steps.shows('No connection has been recorded yet.');
  await steps.role('button', /^A login/).click();
  await panel.rows(/tools\/list/).appears();
  await panel.rows(/Authorization/).appears();
  await openPanelTab(firefox);
  await panel
    .role('list', 'Examples')
    .role('button', /^A login/)
    .click();
  await panel.rows(/tools\/list/).appears();
  await openCaptures();
  // It is a capture like any other, and no second one came of it.
  await lines()
    .like(/Example: a login/)
    .counts(1);
  await panel.button('Back to live').click();
  await panel.role('region', 'Getting started').appears();
});

test('a diagram is drawn as traffic comes, saved as SVG and copied as Mermaid', async () => {
  walks('Follow a diagram as traffic comes', 'Save and copy a diagram');
  await panel.connect(everything.url);
  await panel.button('Diagram').click();
  const diagram = panel.role('region', 'Sequence diagram');
  await diagram.role('button', 'Rows shown').click();
  await panel.send('tools/call', { ...LONG_CALL, arguments: { duration: 1, steps: 2 } });
  const call = diagram.role('row').like(/tools\/call trigger/);
  await call.shows('pending');
  await call.lacks('pending');
  await panel.button('Close').click();
  await panel.closeComposer();
  await panel.requests('tools/call').click();
  await panel.button('Diagram').click();
  await diagram.role('button', 'Selected row').click();
  await diagram.role('status', 'Diagram').shows('4 arrows');
  const svg = readFileSync(await saved(() => panel.button('Save as SVG').click()), 'utf8');
  expect(svg).toContain('progress 2 of 2');
  await panel.button('Copy as Mermaid').click();
  await expect
    .poll(() => readClipboard(firefox))
    .toMatch(/^sequenceDiagram\n {4}participant P1 as Wirescope/);
  await panel.button('Close').click();
});

test('new traffic is found as it comes', async () => {
  walks('Search while traffic comes');
  await panel.button('Search').click();
  const found = panel.role('status', 'Search results');
  await panel.role('searchbox', 'Search all traffic').fill('later-needle');
  await found.shows('Nothing found');
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'later-needle' } });
  await found.shows(/^[1-9]/);
  await panel.button('Close search').click();
});

test('what will be hidden is shown one by one, and left in only where that is wanted', async () => {
  walks('Review what an export hides');
  await panel.send('tools/call', { name: 'echo', arguments: { message: `Bearer ${SECRET}` } });
  await panel.send('tools/call', { name: 'echo', arguments: { password: 'kept-by-a-wish' } });
  await panel.requests('tools/call').counts(4);
  await panel.endConnections();
  await panel.closeComposer();
  await openCaptures();
  const line = lines().like(/being recorded|mcp-servers\/everything/);
  await line.role('button', /^Export /).click();
  await question().shows('2 values will be hidden: 1 password, 1 token.');
  await question()
    .role('summary', /^Look at what was found/)
    .click();
  await question().lacks(SECRET);
  await question()
    .role('button', /^Show the token/)
    .click();
  await question().shows(SECRET);
  await question()
    .role('checkbox', /^Hide the password/)
    .click();
  await question().shows('1 value will be hidden: 1 token.');
  const path = await exportNow();
  expect(path).toMatch(/\.mcp\.har$/);
  await expect.poll(() => readFileSync(path, 'utf8').endsWith('}\n')).toBe(true);
  expect(readFileSync(path, 'utf8')).toContain('kept-by-a-wish');
  expect(readFileSync(path, 'utf8')).not.toContain(SECRET);

  // What holds secrets takes a second step.
  await line.role('button', /^Export /).click();
  await question().role('button', 'Export with secrets…').click();
  await question().shows('Whoever gets the file can use them.');
  const bare = await saved(() => question().role('button', 'Export with secrets').click());
  await expect.poll(() => readFileSync(bare, 'utf8')).toContain(SECRET);
});

test('an exported capture is imported again with the same rows, and comes out the same', async () => {
  walks('Export a capture and import it again');
  await lines()
    .like(/being recorded/)
    .role('button', /^Export /)
    .click();
  const path = await exportNow();
  await expect.poll(() => readFileSync(path, 'utf8').endsWith('}\n')).toBe(true);
  await panel.button('Close').click();
  const named = (texts: string[]) => texts.map((text) => /[↑↓⇣·] (\S+)/.exec(text)?.[1]);
  const rows = named(await panel.rows().texts());
  await openCaptures();
  await screen().css('input[type=file]').type(path);
  await screen().shows(/was imported\. Nothing had to be put right\./);
  const imported = lines().like(/imported/);
  await imported.role('button', /^Export /).click();
  const again = await exportNow();
  const isSame = () => readFileSync(again, 'utf8') === readFileSync(path, 'utf8');
  await expect.poll(isSame).toBe(true);
  await imported.role('button', /^Open /).click();
  await panel.capture.shows('imported from');
  await panel.capture.lacks('reading the capture');
  expect(named(await panel.rows().texts()).slice(-4)).toEqual(rows.slice(-4));
  await panel.button('Back to live').click();
  await panel.requests('tools/call').appears();
});

test('what is no HAR file is refused with a reason, and nothing is stored', async () => {
  walks('Import what is no HAR file');
  await openCaptures();
  const before = (await lines().texts()).length;
  const path = join(downloads, 'notes.har');
  writeFileSync(path, 'not json at all');
  await screen().css('input[type=file]').type(path);
  await screen().role('alert').shows('cannot be read as JSON');
  await lines().counts(before);
  await panel.button('Close').click();
});

test('only what the filter shows is written, without contents where that is wanted', async () => {
  walks('Export a part of a capture');
  await panel.role('combobox', 'Filter').fill('tool:echo');
  await panel.role('combobox', 'Filter').press('Enter');
  await panel.rows().counts(3);
  await openCaptures();
  await lines()
    .like(/being recorded/)
    .role('button', /^Export /)
    .click();
  await question()
    .role('option', /the 3 that the filter shows/)
    .appears();
  await question()
    .role('combobox', /^Contents of messages/)
    .css('[value=structure-only]')
    .click();
  const path = await exportNow();
  await expect.poll(() => readFileSync(path, 'utf8').endsWith('}\n')).toBe(true);
  const { log } = JSON.parse(readFileSync(path, 'utf8'));
  expect(log._mcp.selection).toMatchObject({ entries: 3 });
  expect(JSON.stringify(log)).not.toContain('later-needle');
  await panel.button('Close').click();
  await panel.button('clear filter').click();
});

test('a page to read holds everything, and runs nothing of what servers said', async () => {
  walks('Export a page to read');
  await panel.connect(everything.url);
  await panel.send('tools/call', { name: 'echo', arguments: { message: SCRIPT } });
  await panel.rows(/tools\/call echo/).appears();
  await panel.endConnections();
  await panel.closeComposer();
  await openCaptures();
  await lines()
    .like(/being recorded/)
    .role('button', /^Export /)
    .click();
  await question().role('combobox', /^As/).css('[value=html]').click();
  const path = await exportNow();
  expect(path).toMatch(/\.html$/);
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('</html>');
  await firefox.marionette.command('WebDriver:Navigate', { url: pathToFileURL(path).href });
  const shown = panel.css('details.row:not([hidden])');
  const count = (await shown.texts()).length;
  expect(count).toBeGreaterThan(3);
  await panel.role('searchbox', 'Search').fill('tools/call ONERROR');
  await panel.css('#count').shows(`1 of ${count}`);
  await shown.css('summary').click();
  await shown.shows('</script><img src=x onerror=');
  expect(await panel.css('img').texts()).toEqual([]);
  expect(await firefox.marionette.run(() => document.title)).toMatch(/^Capture of/);
  await openPanelTab(firefox);
});

test('captures are named, tagged, copied, pinned, and deleted with a way back', async () => {
  walks('Name, pin, copy and delete captures');
  await openCaptures();
  await panel.button('Start a new capture').click();
  const line = lines()
    .like(/mcp-servers\/everything/)
    .at(-1);
  await screen().shows('A new capture has begun.');
  await inMenu(line, 'Name, tags and note…');
  await panel.role('dialog').role('textbox', 'Name').fill('Broken echo');
  await panel.role('dialog').role('textbox', /^Tags/).fill('bug, staging');
  await panel.role('dialog').role('textbox', 'Note').fill('Fails since Monday.');
  await panel.role('dialog').role('button', 'Save').click();
  const named = lines().like(/^Broken echo/);
  await named.shows(/bug.*staging.*Fails since Monday\./);
  await inMenu(named, 'Duplicate');
  const copy = lines().like(/^Copy of Broken echo/);
  await copy.appears();
  await copy.role('checkbox', /^Pin /).click();
  await inMenu(copy, 'Delete');
  await copy.isGone();
  await panel.button('Undo').click();
  await copy.appears();
  await inMenu(copy, 'Delete');
  await panel.button('Close').click();
  await panel.rows(/Deleted: Copy of Broken echo.*by the user/).appears();
});

test('a lower limit names what goes for it, and the log says what went', async () => {
  walks('Lower the limit of storage');
  await firefox.marionette.run(async () => {
    const opening = indexedDB.open('wirescope');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const transaction = opening.result.transaction('captures', 'readwrite');
    transaction.objectStore('captures').put({
      captureId: 'old',
      name: 'Capture old',
      startedAt: Date.UTC(2026, 0, 1),
      endedAt: Date.UTC(2026, 0, 2),
      lastSequence: 1,
      eventCount: 12_345,
      sizeBytes: 300_000_000,
    });
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    opening.result.close();
  });
  await openCaptures();
  const limit = () => screen().role('combobox', 'Limit of all captures');
  await limit().choose('250 MB');
  await question().shows('1 capture (300 MB) will be deleted now');
  await limit().holds('1000000000');
  await question().role('button', 'Delete for good').click();
  await lines()
    .like(/Capture old/)
    .isGone();
  await limit().holds('250000000');
  await panel.button('Close').click();
  await panel.rows(/Deleted to make room: Capture old.*12,345 events, 300 MB/).appears();
});

test('a full disk stops no recording: it goes on in memory, says so, and goes back by itself', async () => {
  walks('Record on a full disk');
  const echo = (message: string) =>
    panel.send('tools/call', { name: 'echo', arguments: { message } });
  await panel.connect(everything.url);
  await refuseRecords(firefox, true);
  await echo('one');
  await panel.rows(/Recording in memory only/).appears();
  await panel.capture.shows(
    /recording to disk stopped, kept in memory only since \d\d:\d\d: The disk/,
  );
  await openCaptures();
  await screen().role('alert').shows('delete old captures');
  await panel.button('Close').click();
  await echo('two');
  await refuseRecords(firefox, false);
  // Nothing is sent meanwhile.
  await panel.rows(/Recording to disk again/).appears();
  await panel.capture.shows('stored on disk');
  await firefox.marionette.command('WebDriver:Refresh');
  await panel.rows(/tools\/call echo/).appears();
  await panel.rows(/Recording to disk again/).appears();
});

test('a damaged block costs that block only, and a row names it', async () => {
  walks('Read a damaged capture');
  await panel.endConnections();
  const { first, last } = await firefox.marionette.run(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.addEventListener('success', () => resolve(request.result));
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
    // Of the capture that is shown, which is the newest.
    const newest = blocks.toSorted((a, b) => b.lastSequence - a.lastSequence)[0];
    const own = blocks.filter(({ captureId }) => captureId === newest?.captureId);
    const largest = own.toSorted((a, b) => b.eventCount - a.eventCount)[0];
    if (largest === undefined) throw new Error('nothing is stored');
    const { captureId, firstSequence, lastSequence, json } = largest;
    await answer(store.put({ ...largest, json: json.slice(0, -9) }, [captureId, firstSequence]));
    database.close();
    return { first: firstSequence, last: lastSequence };
  });
  await firefox.marionette.command('WebDriver:Refresh');
  const name = new RegExp(`Stored events cannot be read \\(${first} to ${last}\\).*SyntaxError`);
  await panel.rows(name).appears();
  await panel.rows(/Disconnected/).appears();
});

test('cookies go along only where that was chosen, and are hidden like every secret', async () => {
  walks('Send the cookies of the browser');
  const value = 'c00kie-8f31d9aa';
  const url = misbehaving.url('ok?cookies');
  const { marionette } = firefox;
  await marionette.command('WebDriver:Navigate', { url: misbehaving.url('get-200-html') });
  await marionette.run((text) => void (document.cookie = `sid=${text}; path=/`), value);
  await openPanelTab(firefox);
  const cookies = () =>
    misbehaving.requests
      .filter((request) => url.endsWith(request.url))
      .map(({ headers }) => headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1]);
  await panel.connect(url);
  expect(cookies().length).toBeGreaterThan(0);
  expect(new Set(cookies())).toEqual(new Set([undefined]));
  await panel.endConnections();
  await panel.setOptions((options) =>
    options.role('checkbox', 'Send the browser’s cookies').click(),
  );
  const before = cookies().length;
  await panel.button('Clear').click();
  await panel.connect(url);
  expect(new Set(cookies().slice(before))).toEqual(new Set([`sid=${value}`]));
  await panel.open(panel.requests('initialize').at(-1));
  await panel.showTab('Headers');
  await panel.details.shows(/cookie/i);
  await panel.details.lacks(value);
});

test('nothing went wrong in the browser', async () => {
  // Firefox says this of a page that is left while it is still loading; what is not there would be missed above.
  const ours = (await readErrors(firefox)).filter(
    (line) => !line.includes('error loading dynamically imported module'),
  );
  expect(ours).toEqual([]);
});
