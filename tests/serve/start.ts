// npm run serve -- FILE [--port N] [--speed N]: a capture as a server of the loopback, which answers as it was recorded.
import { openAsBlob } from 'node:fs';
import { parseArgs } from 'node:util';
import { openHarFile } from '../../lib/har/read/open-har-file.ts';
import { readHar } from '../../lib/har/read/read-har.ts';
import { readRecording } from '../../lib/har/serve/recording.ts';
import { formatCount } from '../../lib/text.ts';
import { serveRecording } from './server.ts';

const USAGE = 'Usage: npm run serve -- FILE [--port N] [--speed N|max]';
const WORDS = {
  same: 'as recorded',
  target: 'by its name: no recording has these arguments',
  order: 'by order: no recording has these arguments',
  ping: 'answered, though it is not in the capture',
  nothing: 'NOT in the capture',
};

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { port: { type: 'string' }, speed: { type: 'string' } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(USAGE);
  const speed = values.speed === 'max' ? Infinity : Number(values.speed ?? 1);
  if (!(speed > 0))
    throw new Error(`--speed is how many times faster, from above 0, or max.\n${USAGE}`);
  const port = Number(values.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(USAGE);
  const { events, name, repairs, head } = await readHar(await openHarFile(await openAsBlob(file)), {
    captureId: 'served',
  });
  const recording = readRecording(events);
  if (recording.calls.length === 0) {
    throw new Error(`There is no request of MCP in ${file}, so there is nothing to answer.`);
  }
  const served = await serveRecording(recording, {
    speed,
    port,
    asked: (method, found) => console.log(`${method}: ${WORDS[found]}`),
  });
  const calls = formatCount(recording.calls.length, 'request');
  console.log(`“${name}”: ${calls}, ${formatCount(recording.streams.length, 'stream')}`);
  if (repairs.length > 0)
    console.log(`${formatCount(repairs.length, 'thing')} had to be put right.`);
  if (head?.redaction !== undefined) console.log('Its secrets are replaced by pseudonyms.');
  console.log(`Streamable HTTP  ${served.url}`);
  console.log(`HTTP+SSE         ${served.sseUrl}`);
  console.log(`WebSocket        ${served.socketUrl}`);
  console.log('Ctrl+C ends it.');
}
