import { openAsBlob, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { openHarFile } from '../../../lib/har/read/open-har-file.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { EXAMPLES } from '../../../lib/state/captures/first-steps.ts';

const FOLDER = join(import.meta.dirname, '../../../public/examples');

test('every example that is offered is there, and no other', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(EXAMPLES.map(({ file }) => file).toSorted());
});

test.each(EXAMPLES)('$file is read without a repair, and shows what it says', async ({ file }) => {
  const blob = await openAsBlob(join(FOLDER, file));
  const text = await blob.text();
  // Recorded on a machine of which nobody needs to know more.
  expect(text).not.toMatch(/\/(?:home|root|tmp|work|Users)\//);
  const { events, repairs } = await readHar(await openHarFile(blob), { captureId: 'example' });
  expect(repairs).toEqual([]);
  const correlation = createCorrelation();
  correlation.apply(events);
  const methods = correlation.items.flatMap((item) => (item.kind === 'request' ? item.method : []));
  expect(methods).toContain('tools/list');
  expect([...correlation.connections.values()]).toHaveLength(1);
});
