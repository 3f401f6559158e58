import { captureDatabase } from '../../../lib/capture/store/database.ts';
import { createRecorder } from '../../../lib/capture/recorder.ts';
import { openSecrets } from '../../../lib/capture/secrets.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { createHub } from '../../../lib/port/hub.ts';
import type { PortLike } from '../../../lib/port/channel.ts';
import { BENCH_PORT, EVENT_BYTES, type WorkerBench } from './shared.ts';

// The worker of an extension for benchmarks: the parts of ours that bear the load, and nothing else.
declare const chrome: {
  runtime: {
    onConnect: { addListener(listener: (port: PortLike & { name: string }) => void): void };
  };
};

/** How many come in one turn of the worker, as a chunk of a stream brings them. */
const PER_TURN = 50;
/** How many a page may be behind before it is waited for. */
const BEHIND = 4000;

let tellTaken: (count: number) => void = () => undefined;

async function recordedEvents(count: number): Promise<number> {
  const recorder = await openRecorder();
  const bytes = noise();
  const start = performance.now();
  for (let sent = 0; sent < count; sent += PER_TURN) {
    for (let index = sent; index < sent + PER_TURN; index += 1) {
      const data = { bytes: bytes.slice(index % EVENT_BYTES, (index % EVENT_BYTES) + EVENT_BYTES) };
      const offset = index * EVENT_BYTES;
      recorder.record({ kind: 'http-chunk', httpId: 'bench', offset, data }, 'bench');
    }
    // As a transport does: over its budget it stops reading.
    if (recorder.uncommittedBytes('bench') > 32 * 1024 * 1024) await recorder.flushed();
    else await nextTask();
  }
  await recorder.flushed();
  return (count / (performance.now() - start)) * 1000;
}

async function openRecorder() {
  const secrets = await openSecrets({
    load: () => Promise.resolve(undefined),
    save: () => undefined,
  });
  // As in every real session there is one to look for.
  secrets.register('a-session-id-of-thirty-two-chars');
  return createRecorder({
    store: captureDatabase(`bench-${crypto.randomUUID()}`),
    secrets,
    captureId: 'bench',
    bootId: 'bench',
    lastSequence: 0,
    committed: () => undefined,
  });
}

/** A page takes every sequence once. */
let lastSequence = 0;
let hub: ReturnType<typeof createHub> | undefined;

async function portedEvents(count: number): Promise<number> {
  if (hub === undefined) throw new Error('No page is there.');
  const bytes = noise();
  const stamp = { captureId: 'bench', bootId: 'bench', wallTime: 0, monotonicTime: 0 };
  const before = lastSequence;
  lastSequence += count;
  let taken = before;
  tellTaken = (sequence) => (taken = sequence);
  const start = performance.now();
  for (let sequence = before + 1; sequence <= lastSequence; sequence += PER_TURN) {
    const events = Array.from({ length: PER_TURN }, (_, index): WireEvent => {
      const data = { bytes: bytes.slice(index, index + EVENT_BYTES) };
      const chunk = { kind: 'http-chunk', httpId: 'bench', offset: 0, data } as const;
      return { sequence: sequence + index, ...stamp, ...chunk };
    });
    hub.publish(events, true);
    while (sequence - taken > BEHIND) await nextTask();
  }
  while (taken < lastSequence) await nextTask();
  return (count / (performance.now() - start)) * 1000;
}

/** Text that does not repeat within an event. */
function noise(): Uint8Array<ArrayBuffer> {
  const letters = crypto.getRandomValues(new Uint8Array(2 * EVENT_BYTES));
  return letters.map((byte) => 97 + (byte % 26));
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}

chrome.runtime.onConnect.addListener((port) => {
  if (port.name === BENCH_PORT) {
    port.onMessage.addListener((sequence) => tellTaken(Number(sequence)));
    return;
  }
  const functions = {} as Awaited<Parameters<typeof createHub>[0]>['functions'];
  hub ??= createHub(openRecorder().then((recorder) => ({ recorder, functions })));
  hub.attach(port);
});

const bench: WorkerBench = { recordedEvents, portedEvents };
Reflect.set(globalThis, 'bench', bench);
