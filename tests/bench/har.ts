import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WireEvent } from '../../lib/capture/wire-event.ts';
import { writeHar } from '../../lib/har/write/write-har.ts';
import { launchWirescope } from '../e2e/wirescope.ts';
import { LogBuilder } from '../support/builders.ts';
import { longestTask } from './task-trace.ts';

const FILE_BYTES = 100_000_000;
/** What is left of it besides its entries and what a stream event takes twice. */
const CALLS = 7_600;
const STREAM_EVENTS = 20_000;
const PATIENCE_MS = 120_000;

/** Import and export of a file of 100 MB in the built extension, each until the user has what they wanted. */
export async function benchHar(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'wirescope-bench-'));
  try {
    const file = join(folder, 'large.mcp.har');
    await pipeline(Readable.from(largeFile()), createWriteStream(file));
    const share = statSync(file).size / FILE_BYTES;
    const found = await measure(folder, file);
    return {
      'har.import100MBSeconds': found.importSeconds / share,
      'har.import100MBLongestTaskMs': found.importTaskMs,
      'har.export100MBSeconds': found.exportSeconds / share,
      'har.export100MBLongestTaskMs': found.exportTaskMs,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(folder: string, file: string) {
  const wirescope = await launchWirescope({ build: 'granted', profile: join(folder, 'profile') });
  const panel = await wirescope.openPanelTab();
  await panel.button('Captures').click();
  const seconds = async (act: () => Promise<void>) => {
    const startedAt = performance.now();
    const { wallMs } = await longestTask(wirescope.browser, act);
    return [(performance.now() - startedAt) / 1000, wallMs] as const;
  };
  const listed = panel.captures.filter({ hasText: 'imported' });
  const [importSeconds, importTaskMs] = await seconds(async () => {
    await panel.root.getByLabel('HAR files to import').setInputFiles(file);
    await listed.waitFor({ timeout: PATIENCE_MS });
  });
  const [exportSeconds, exportTaskMs] = await seconds(async () => {
    await listed.getByRole('button', { name: /^Export / }).click();
    const question = panel.storage.getByRole('alertdialog');
    await question.waitFor({ timeout: PATIENCE_MS });
    const [download] = await Promise.all([
      panel.page.waitForEvent('download', { timeout: PATIENCE_MS }),
      question.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    await download.path();
  });
  const problems = await wirescope.end();
  if (problems.length > 0) throw new Error(`The browser complains: ${problems.join('\n')}`);
  return { importSeconds, importTaskMs, exportSeconds, exportTaskMs };
}

/** A file of ours: calls with answers of some kilobytes, secrets among them, and one long stream. */
async function* largeFile(): AsyncGenerator<string> {
  const events = largeLog();
  const log = {
    name: 'A large capture',
    events,
    load: (some: readonly WireEvent[]) => Promise.resolve(some),
  };
  yield* writeHar(log, { creator: { name: 'Wirescope', version: '0.0.0' } });
}

function largeLog(): WireEvent[] {
  const log = new LogBuilder();
  const authorization = { name: 'Authorization', value: 'Bearer r7Kx2mQ9vB4nT1zL8pWd' };
  const words = 'The quick brown fox jumps over the lazy dog, {"again": "and again"}. ';
  log.opened();
  for (let index = 0; index < CALLS; index += 1) {
    const params = { name: 'search', arguments: { query: `number ${index}`, page: index } };
    const call = log.call(String(index), 'tools/call', params, { headers: [authorization] });
    const text = `${index}: ${words.repeat(120)}`;
    log.answer(call, { jsonrpc: '2.0', id: index, result: { content: [{ type: 'text', text }] } });
  }
  const stream = log.stream();
  for (let index = 0; index < STREAM_EVENTS; index += 1) {
    const data = `${index}: ${words.repeat(3)}`;
    log.message(stream, { jsonrpc: '2.0', method: 'notifications/message', params: { data } });
  }
  log.end(stream);
  return log.events;
}
