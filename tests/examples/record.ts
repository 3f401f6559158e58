// Records the example captures that an empty panel offers: real traffic with servers of this machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireEvent } from '../../lib/capture/wire-event.ts';
import { redactLog } from '../../lib/har/redact/redact-log.ts';
import { surveySecrets } from '../../lib/har/redact/survey-secrets.ts';
import { writeHar, type HarLog } from '../../lib/har/write/write-har.ts';
import { startAuthPeer } from '../server/auth-peer.ts';
import { startEverything } from '../server/everything.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { play } from '../interop/cases/play.ts';
import { toolCall, visit } from '../interop/peers/visit.ts';

const FOLDER = join(import.meta.dirname, '../../public/examples');

/** Writes what was recorded as a file of ours, without its secrets. */
async function write(file: string, name: string, events: readonly WireEvent[]): Promise<void> {
  const log: HarLog = { name, events, load: (some) => Promise.resolve(some) };
  const hidden = redactLog(log, await surveySecrets(log));
  let text = '';
  for await (const piece of writeHar(hidden, { creator: { name: 'Wirescope', version: '1' } })) {
    text += piece;
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, file), text);
  console.log(`${file}: ${events.length} events, ${Math.round(text.length / 1000)} kB`);
}

/** Whether every exchange has ended: an example is about none that hangs. */
function areOver(events: readonly WireEvent[]): boolean {
  const count = (wanted: WireEvent['kind']) => events.filter(({ kind }) => kind === wanted).length;
  return count('http-end') === count('http-request');
}

/** Tools, progress, an image, a question of the server, an error: the reference server. */
async function recordTools(): Promise<void> {
  const server = await startEverything();
  try {
    await using scene = await visit(server.url, { transport: 'auto', openStream: true });
    await scene.call('tools/list', {});
    await scene.call('tools/call', toolCall('echo', { message: 'Is anybody there?' }));
    await scene.call('tools/call', toolCall('get-sum', { a: 2, b: 40 }));
    await scene.call('tools/call', toolCall('get-sum', { a: 'two', b: 40 }));
    const meta = { progressToken: 'example' };
    const slow = toolCall('trigger-long-running-operation', { duration: 2, steps: 5 }, meta);
    await scene.call('tools/call', slow);
    await scene.call('tools/call', toolCall('get-tiny-image'));
    await scene.begin('tools/call', toolCall('trigger-elicitation-request'));
    const content = { name: 'Ada Lovelace', check: true, integer: 42 };
    await scene.answer('elicitation/create', { action: 'accept', content });
    await scene.call('resources/list', {});
    await scene.call('prompts/get', { name: 'simple-prompt' });
    await scene.call('no/such/method', {});
    await scene.worker.manager.functions.disconnect(scene.id, true);
    await scene.worker.until(() => areOver(scene.worker.events), 'the end of every exchange');
    await scene.worker.recorder.flushed();
    await write(
      'example-tools.mcp.har',
      'Example: tools, progress and a question',
      scene.worker.events,
    );
  } finally {
    await server.close();
  }
}

/** A call in several rounds, a subscription, headers from arguments: revision 2026-07-28. */
async function recordModern(): Promise<void> {
  await using server = await startTinyModern();
  await using scene = await visit(server.url, {
    transport: 'auto',
    answers: { elicitation: 'defaults', sampling: 'ask', roots: [] },
  });
  await scene.call('tools/list', {});
  await scene.call('tools/call', toolCall('echo', { text: 'Hello' }));
  const first = await scene.begin('tools/call', toolCall('ask', { rounds: 2 }));
  await scene.lastRound(first, 3);
  await scene.subscribe();
  await scene.call('tools/call', toolCall('change'));
  await scene.call('tools/call', toolCall('fail'));
  const changed = 'notifications/tools/list_changed';
  await scene.worker.until(() => scene.notifications(changed).length > 0, changed);
  await scene.worker.manager.functions.disconnect(scene.id, true);
  await scene.worker.recorder.flushed();
  await write('example-modern.mcp.har', 'Example: revision 2026-07-28', scene.worker.events);
}

/** A 401, discovery, registration, login, repeat; then a token that has expired, and its refresh. */
async function recordLogin(): Promise<void> {
  await using peer = await startAuthPeer();
  await using scene = await play(peer.protect(), { user: {} });
  await scene.call('tools/list', '{}');
  peer.expire();
  await scene.call('tools/list', '{}');
  await scene.disconnect();
  await scene.worker.recorder.flushed();
  await write(
    'example-login.mcp.har',
    'Example: a login, from the 401 to the repeat',
    scene.worker.events,
  );
}

await recordTools();
await recordModern();
await recordLogin();
