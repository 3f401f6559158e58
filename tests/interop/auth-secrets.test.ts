import { expect, test } from 'vitest';
import { redactLog } from '../../lib/har/redact/redact-log.ts';
import { surveySecrets } from '../../lib/har/redact/survey-secrets.ts';
import { writeHar, type HarLog } from '../../lib/har/write/write-har.ts';
import { writeHtml } from '../../lib/har/html/write-html.ts';
import { createPseudonyms } from '../../lib/redact/pseudonyms.ts';
import { buildCopy, copyKinds } from '../../lib/state/copy/copy-item.ts';
import { buildRowLine } from '../../lib/state/copy/copy-rows.ts';
import { replacingWriter } from '../../lib/state/copy/copy-secrets.ts';
import { startAuthPeer } from '../server/auth-peer.ts';
import { play } from './cases/play.ts';

const CREATOR = { creator: { name: 'Wirescope', version: '0' } };

async function join(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('nothing that a login hands out is in an export or in a copy', async () => {
  await using peer = await startAuthPeer();
  await using scene = await play(peer.protect(), { user: {} });
  await scene.call('tools/list', '{}');
  peer.expire();
  await scene.call('tools/list', '{}');
  await scene.worker.recorder.flushed();
  const { events, correlation } = scene.worker;
  const secrets = peer.secrets.filter((secret) => secret !== '');
  expect(secrets.length).toBeGreaterThan(5);

  const log: HarLog = { name: 'login', events, load: (some) => Promise.resolve(some) };
  const hidden = redactLog(log, await surveySecrets(log));
  const writer = replacingWriter({ pseudonyms: createPseudonyms(new Uint8Array(32)) });
  const written = [
    await join(writeHar(hidden, CREATOR)),
    // Whoever asks for everything gets what was recorded, and the recorder has kept none of them.
    await join(writeHar(log, CREATOR)),
    await join(writeHtml(hidden, CREATOR)),
    ...correlation.items.flatMap((item) => [
      buildRowLine(item, correlation, writer),
      ...copyKinds(item, correlation).map((kind) => buildCopy(kind, item, correlation, writer)),
    ]),
  ];
  expect(written.length).toBeGreaterThan(20);
  for (const text of written) {
    for (const secret of secrets) expect(text ?? '').not.toContain(secret);
  }
});
