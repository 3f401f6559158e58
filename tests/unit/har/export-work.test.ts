import { describe, expect, test } from 'vitest';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import type { Block, WireEvent } from '../../../lib/capture/wire-event.ts';
import { openCaptureLog } from '../../../lib/har/write/capture-log.ts';
import { openExport, type ExportChoice } from '../../../lib/har/write/export-work.ts';
import { importHarFile } from '../../../lib/har/read/import-work.ts';
import { LogBuilder } from '../../support/builders.ts';
import { SECRETS, seededLog } from './seeded-log.ts';

const WHOLE: ExportChoice = { format: 'har', secrets: 'hidden', profile: 'share-v1', kept: [] };

/** A stored capture whose blocks a test may lose. */
function stored(events: readonly WireEvent[]) {
  let blocks = packBlocks(events);
  const capture = {
    captureId: 'capture',
    name: 'A capture',
    startedAt: 0,
    lastSequence: events.length,
    eventCount: events.length,
    sizeBytes: 0,
  };
  const creator = { name: 'Wirescope', version: '0.1.0' };
  const source = {
    capture,
    creator,
    browser: { name: 'Chrome', version: '156' },
    rules: [],
    async *readBlocks(_captureId: string, from: number, to: number) {
      yield blocks.filter(
        ({ firstSequence, lastSequence }) => lastSequence >= from && firstSequence <= to,
      );
    },
  };
  return { source, lose: () => void (blocks = []) };
}

const ignore = () => undefined;

describe('a stored capture that is written', () => {
  test('says what was found, how far it is, and how much there is to choose from', async () => {
    const shares: number[] = [];
    const { report } = await openExport(stored(seededLog()).source, (share) => shares.push(share));
    expect(report.found.map(({ value }) => value)).toContain(SECRETS.bearer);
    expect(report.found.find(({ value }) => value === SECRETS.session)).toMatchObject({
      secretClass: 'sid',
      places: ['header Mcp-Session-Id'],
    });
    expect(report.carriers.length).toBeGreaterThan(30);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  test('is a HAR file or a page, whole or in part, with secrets only where that is wanted', async () => {
    const work = await openExport(stored(seededLog()).source, ignore);
    const text = async (choice: Partial<ExportChoice>) =>
      (await work.write({ ...WHOLE, ...choice }, ignore)).text();
    const har = await text({});
    expect(JSON.parse(har).log.browser).toEqual({ name: 'Chrome', version: '156' });
    const page = await text({ format: 'html' });
    expect(page).toMatch(/^<!doctype html>/);
    for (const secret of Object.values(SECRETS)) {
      expect(har).not.toContain(secret);
      expect(page).not.toContain(secret);
    }
    expect(await text({ secrets: 'shown' })).toContain(SECRETS.bearer);
    expect(await text({ kept: [SECRETS.session] })).toContain(SECRETS.session);
    const [first = ''] = work.report.carriers;
    const part = JSON.parse(await text({ selected: [first] })).log;
    expect(part._mcp.selection).toEqual({ entries: 1, of: work.report.carriers.length });
    expect(part.entries).toHaveLength(1);
  });

  test('that was deleted meanwhile is not written in part', async () => {
    const { source, lose } = stored(seededLog());
    const log = await openCaptureLog({ ...source, heldBytes: 0 });
    lose();
    await expect(log.load(log.events)).rejects.toMatchObject({
      problem: { code: 'storage-failed' },
    });
  });
});

describe('a page of a capture', () => {
  test('shows text of servers as text, and lets nothing but its own script run', async () => {
    const log = new LogBuilder();
    const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\0';
    const call = log.call('1', 'tools/call', { name: hostile });
    log.answer(call, { jsonrpc: '2.0', id: 1, result: { text: hostile } });
    const work = await openExport(stored(log.events).source, ignore);
    const page = await (await work.write({ ...WHOLE, format: 'html' }, ignore)).text();
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain('<img');
    expect(page).not.toContain('\0');
    expect(page).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
    expect(page).not.toMatch(/<[a-z][^>]*\s(?:src|href)=/);
  });
});

test('a file of ours is imported with what it says of itself', async () => {
  const work = await openExport(stored(seededLog()).source, ignore);
  const blob = await work.write(WHOLE, ignore);
  const blocks: Block[] = [];
  const database = {
    append: async (some: Block[]) => void blocks.push(...some),
    ensureCapture: async () => undefined,
    deleteCapture: async () => undefined,
  };
  const file = new File([blob], 'shared.mcp.har');
  const capture = await importHarFile(file, 'imported', database, ignore);
  expect(capture).toMatchObject({
    name: 'A capture',
    isPinned: true,
    imported: { file: 'shared.mcp.har', repairCount: 0, isRedacted: true },
  });
  expect(JSON.parse(capture.imported?.head ?? '{}').redaction.profile).toBe('share-v1');
  const events = blocks.flatMap((block) => block.events);
  const again = stored(events).source;
  const second = await openExport({ ...again, capture: { ...capture, lastSequence: 1e6 } }, ignore);
  expect(await (await second.write({ ...WHOLE, secrets: 'shown' }, ignore)).text()).toBe(
    await blob.text(),
  );
});
