import { browser } from 'wxt/browser';
import {
  openCaptureDatabase,
  type CaptureDatabase,
  type CaptureRecord,
} from '../capture/database.ts';
import { createRecorder, type BlockStore, type Recorder } from '../capture/recorder.ts';
import { joinCuts, openSecrets, type Secrets } from '../capture/secrets.ts';
import type { EventOf, WireEvent } from '../capture/wire-event.ts';
import { sessionSecrets } from './stores.ts';

export interface Log {
  recorder: Recorder;
  secrets: Secrets;
  /** What an earlier life of the worker stored last, with the secrets that are still held. */
  checkpoint: string | undefined;
  /** Asks this for the checkpoint of every batch from now on. */
  keep(checkpoint: () => string | undefined): void;
}

/**
 * Opens the log of this browser profile and goes on in its newest capture. Never rejects: where IndexedDB
 * fails, recording goes on in memory and the log says so.
 */
export async function openLog(
  bootId: string,
  committed: (events: WireEvent[], isStored: boolean) => void,
): Promise<Log> {
  // Until the worker has taken up what it finds, what is stored stays.
  let checkpoint: () => string | undefined = () => undefined;
  const [secrets, stored, isWake] = await Promise.all([
    openSecrets(sessionSecrets),
    openStore(),
    markSession(),
  ]);
  const recorder = createRecorder({
    store: stored.store,
    secrets,
    captureId: stored.capture.captureId,
    bootId,
    lastSequence: stored.lastSequence,
    committed,
    checkpoint: () => checkpoint(),
  });
  recorder.record({ kind: 'worker-started', cause: causeOf(isWake, stored.isNew) });
  if (stored.isNew) recorder.record({ kind: 'capture-started', name: stored.capture.name });
  const { checkpoint: masked } = stored;
  return {
    recorder,
    secrets,
    checkpoint: masked && joinCuts(masked, secrets.reveal),
    keep: (source) => void (checkpoint = source),
  };
}

async function openStore() {
  try {
    const database = await openCaptureDatabase();
    return await newestCapture(database);
  } catch (error) {
    // Numbers that no stored event can have, should the database be readable again next time.
    const lastSequence = Date.now() * 1000;
    const store: BlockStore = { append: () => Promise.reject(error) };
    return { store, capture: newCapture(), lastSequence, isNew: true, checkpoint: undefined };
  }
}

async function newestCapture(database: CaptureDatabase) {
  const captures = (await database.captures()).toSorted((a, b) => b.startedAt - a.startedAt);
  const lastSequence = Math.max(0, ...captures.map((capture) => capture.lastSequence));
  const capture = captures[0] ?? newCapture();
  if (captures.length === 0) await database.ensureCapture(capture);
  const checkpoint = await database.checkpoint();
  return { store: database, capture, lastSequence, isNew: captures.length === 0, checkpoint };
}

function newCapture(): CaptureRecord {
  const startedAt = Date.now();
  return {
    captureId: crypto.randomUUID(),
    name: `Capture of ${new Date(startedAt).toLocaleString()}`,
    startedAt,
    lastSequence: 0,
    eventCount: 0,
    sizeBytes: 0,
  };
}

/** Whether the worker has run before in this life of the browser. */
async function markSession(): Promise<boolean> {
  const { hasStarted } = await browser.storage.session.get('hasStarted');
  await browser.storage.session.set({ hasStarted: true });
  return hasStarted === true;
}

function causeOf(isWake: boolean, isNew: boolean): EventOf<'worker-started'>['cause'] {
  if (isWake) return 'wake';
  return isNew ? 'install' : 'browser-start';
}
