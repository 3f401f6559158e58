import { HarValidator } from '@har-sdk/validator';
import { har as strictly } from 'har-validator';
import { openAsBlob, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { openHarFile } from '../../../lib/har/read/open-har-file.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { redactLog } from '../../../lib/har/redact/redact-log.ts';
import { surveySecrets } from '../../../lib/har/redact/survey-secrets.ts';
import { writeHar, type HarLog } from '../../../lib/har/write/write-har.ts';
import { seededLog } from './seeded-log.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/har');
const creator = { name: 'Wirescope', version: '0.1.0' };
const validator = new HarValidator();

async function textOf(log: HarLog, check?: (piece: string) => void): Promise<string> {
  let text = '';
  for await (const piece of writeHar(log, { creator, browser: creator })) {
    check?.(piece);
    text += piece;
  }
  return text;
}

/** What both validators say of a file, but for methods that only one of them knows. */
async function complaints(text: string): Promise<unknown[]> {
  const document = JSON.parse(text);
  const strict = await strictly(document).then(
    () => [],
    (error: { errors: unknown[] }) => error.errors,
  );
  const found = await validator.verify(document);
  const others = found.filter(({ instancePath }) => !instancePath.endsWith('/request/method'));
  return [...strict, ...others];
}

async function expectValid(events: readonly WireEvent[]): Promise<void> {
  const log: HarLog = { name: 'A capture', events, load: (some) => Promise.resolve(some) };
  expect(await complaints(await textOf(log))).toEqual([]);
  const redacted = redactLog(log, await surveySecrets(log));
  expect(await complaints(await textOf(redacted, redacted.check))).toEqual([]);
}

describe('what we write passes har-validator and @har-sdk/validator', () => {
  test('of a log with everything in it, as it is and without secrets', async () => {
    await expectValid(seededLog());
  });

  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(?:har|zip)$/.test(name));
  test.each(files.filter((name) => !name.endsWith('truncated.har')))('of %s', async (name) => {
    const blob = await openAsBlob(join(FOLDER, name));
    const { events } = await readHar(await openHarFile(blob), { captureId: 'imported' });
    await expectValid(events);
  });
});
