import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { openHarFile } from '../../lib/har/read/open-har-file.ts';
import { readHar } from '../../lib/har/read/read-har.ts';
import { redactLog } from '../../lib/har/redact/redact-log.ts';
import { surveySecrets } from '../../lib/har/redact/survey-secrets.ts';
import { writeHar, type HarLog } from '../../lib/har/write/write-har.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/har');

/** How many entries, stream events and frames a HAR file holds, by Chrome's own lists. */
export interface HarCounts {
  entries: number;
  events: number;
  frames: number;
}

/** A capture with all three transports and an authorization, as we write it without its secrets. */
export async function writtenFixture(): Promise<{ text: string; counts: HarCounts }> {
  const blob = await openAsBlob(join(FOLDER, 'chrome-devtools.har'));
  const { events, name } = await readHar(await openHarFile(blob), { captureId: 'imported' });
  const log: HarLog = { name, events, load: (some) => Promise.resolve(some) };
  const redacted = redactLog(log, await surveySecrets(log));
  let text = '';
  for await (const piece of writeHar(redacted, { creator: { name: 'Wirescope', version: '0' } })) {
    text += piece;
  }
  return { text, counts: countsOf(text) };
}

function countsOf(text: string): HarCounts {
  const { entries } = JSON.parse(text).log as {
    entries: { _eventSourceMessages?: unknown[]; _webSocketMessages?: unknown[] }[];
  };
  const sum = (key: '_eventSourceMessages' | '_webSocketMessages') =>
    entries.reduce((count, entry) => count + (entry[key]?.length ?? 0), 0);
  return {
    entries: entries.length,
    events: sum('_eventSourceMessages'),
    frames: sum('_webSocketMessages'),
  };
}
