import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { AppError } from '../../../lib/errors.ts';
import { openHarFile } from '../../../lib/har/read/open-har-file.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { redactLog } from '../../../lib/har/redact/redact-log.ts';
import { surveySecrets } from '../../../lib/har/redact/survey-secrets.ts';
import { writeHar, type HarLog } from '../../../lib/har/write/write-har.ts';
import { toRow } from '../../../lib/state/view/rows.ts';

const PATH = join(import.meta.dirname, '../../fixtures/har/wirescope-1.0.mcp.har');
const FILE = readFileSync(PATH, 'utf8');

/** Every place in a document, as the way to it. */
function waysIn(value: unknown, way: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [way];
  return [way, ...Object.entries(value).flatMap(([key, each]) => waysIn(each, [...way, key]))];
}

const WAYS = waysIn(JSON.parse(FILE)).filter((way) => way.length > 1);

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1e300, 7, '', 'text', [], {}, [null], { bytes: 7 }),
  fc.constantFrom<unknown>(
    '__proto__',
    { __proto__: { a: 1 } },
    { toString: 1, valueOf: 1 },
    [[[]]],
    [{ offset: -5, length: 1e9 }],
  ),
  fc.jsonValue(),
);

function spoil(way: readonly string[], value: unknown): string {
  const document: Record<string, unknown> = JSON.parse(FILE);
  let at = document;
  for (const key of way.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[way.at(-1) ?? ''] = value;
  return JSON.stringify(document);
}

test('a file of ours that somebody has spoilt costs what is spoilt, and breaks nothing that reads it', async () => {
  const spoilt = fc.tuple(fc.nat(WAYS.length - 1), junk);
  await fc.assert(
    fc.asyncProperty(spoilt, async ([place, value]) => {
      const text = spoil(WAYS[place] ?? [], value);
      const reading = openHarFile(new Blob([text])).then((file) =>
        readHar(file, { captureId: 'imported' }),
      );
      const read = await reading.catch((error: unknown) => {
        // What is refused is refused with a reason.
        if (error instanceof AppError) return undefined;
        throw error;
      });
      if (read === undefined) return;
      const correlation = createCorrelation();
      correlation.apply(read.events);
      for (const item of correlation.items) toRow(item, correlation);
      const log: HarLog = {
        name: read.name,
        events: read.events,
        load: (some) => Promise.resolve(some),
        ...(read.head && { head: read.head }),
      };
      const redacted = redactLog(log, await surveySecrets(log), { isImported: true });
      const options = { creator: { name: 'Wirescope', version: '0' } };
      for await (const piece of writeHar(redacted, options)) redacted.check(piece);
    }),
    { numRuns: 300 },
  );
});
