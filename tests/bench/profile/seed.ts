import { newCapture } from '../../../lib/capture/store/capture-record.ts';
import { captureDatabase } from '../../../lib/capture/store/database.ts';
import { importCapture } from '../../../lib/capture/store/import-capture.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { LogBuilder } from '../../support/builders.ts';

/** What a profile is filled with. */
export interface ProfileShape {
  /** Starts of the browser without any traffic. */
  empty: number;
  /** Sessions of some calls; bytes of each. */
  small: { count: number; bytes: number };
  /** Sessions whose one stream brought many events. */
  streams: { count: number; events: number };
  /** Sessions with a few bodies of many megabytes. */
  bodies: { count: number; bodies: number; bytes: number };
}

const CHUNK_BYTES = 64 * 1024;
const WORDS = 'The quick brown fox jumps over the lazy dog, {"again": "and again"}. ';
/** Captures are so far apart, and the last of them is as long ago. */
const APART_MS = 3_600_000;

/**
 * Fills the database of the extension by the product's own store, as if all of it had been recorded: sequences go on
 * from one capture to the next. Runs in a page of the extension; resolves with the bytes that are stored.
 */
async function seedProfile(shape: ProfileShape): Promise<number> {
  const database = captureDatabase();
  const logs = [
    ...times(shape.streams.count, () => streamLog(shape.streams.events)),
    ...times(shape.bodies.count, () => bodiesLog(shape.bodies)),
    ...times(shape.small.count, (id) => smallLog(id, shape.small.bytes)),
    ...times(shape.empty, () => () => new LogBuilder()),
  ];
  const known = await database.captures();
  let sequence = Math.max(0, ...known.map(({ lastSequence }) => lastSequence));
  let at = Date.now() - (logs.length + 1) * APART_MS;
  for (const [index, log] of logs.entries()) {
    at += APART_MS;
    const capture = newCapture(at, `seeded-${index}`);
    const events = recorded(capture.captureId, capture.name, log(`s${index}`).events);
    for (const event of events) Object.assign(event, { sequence: (sequence += 1) });
    await importCapture(database, capture, events);
  }
  const stored = await database.captures();
  database.close();
  return stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

  function recorded(captureId: string, name: string, events: WireEvent[]): WireEvent[] {
    const bootId = captureId;
    const stamp = { sequence: 0, captureId, bootId, wallTime: at, monotonicTime: 0 };
    return [
      { ...stamp, kind: 'worker-started', cause: 'browser-start' },
      { ...stamp, kind: 'capture-started', name },
      ...events.map((event, index) =>
        Object.assign(event, { captureId, bootId, wallTime: at + index, monotonicTime: index }),
      ),
    ];
  }
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function connected(id: string): LogBuilder {
  const log = new LogBuilder(id);
  log.opened();
  log.answer(log.call('0', 'initialize', {}), { jsonrpc: '2.0', id: 0, result: {} });
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'legacy',
    revision: '2025-11-25',
    serverName: 'seeded',
    evidence: [],
  });
  return log;
}

function smallLog(at: number, bytes: number) {
  return (id: string) => {
    const log = connected(id);
    // No two are of the same size.
    const sizeBytes = bytes * (0.5 + (at % 10) / 10);
    for (let sent = 0, call = 1; sent < sizeBytes; call += 1) {
      const text = `${call}: ${WORDS.repeat(1 + ((call * 7) % 60))}`;
      const result = { content: [{ type: 'text', text }], isError: call % 50 === 0 };
      const params = { name: 'search', arguments: { query: `number ${call}` } };
      log.answer(log.call(String(call), 'tools/call', params), {
        jsonrpc: '2.0',
        id: call,
        result,
      });
      sent += text.length + 1000;
    }
    log.add({ kind: 'connection-closed', cause: 'user' });
    return log;
  };
}

function streamLog(events: number) {
  return (id: string) => {
    const log = connected(id);
    const stream = log.stream();
    for (let index = 0; index < events; index += 1) {
      const data = `number ${index} of a flood ${WORDS.repeat(14)}`;
      log.message(stream, { jsonrpc: '2.0', method: 'notifications/message', params: { data } });
    }
    log.end(stream);
    log.add({ kind: 'connection-closed', cause: 'user' });
    return log;
  };
}

function bodiesLog({ bodies, bytes }: ProfileShape['bodies']) {
  return (id: string) => {
    const log = connected(id);
    for (let call = 1; call <= bodies; call += 1) {
      const answer = log.call(String(call), 'tools/call', { name: 'dump', arguments: { call } });
      log.head(answer);
      log.chunk(
        answer,
        `{"jsonrpc":"2.0","id":${call},"result":{"content":[{"type":"text","text":"`,
      );
      for (let sent = 0; sent < bytes; sent += CHUNK_BYTES) log.chunk(answer, noise());
      log.chunk(answer, '"}]}}');
      log.end(answer);
    }
    log.add({ kind: 'connection-closed', cause: 'user' });
    return log;
  };
}

/** Letters that no disk makes shorter. */
function noise(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(CHUNK_BYTES)).map((byte) => 97 + (byte % 26));
}

Reflect.set(globalThis, 'seedProfile', seedProfile);
