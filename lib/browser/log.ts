import { browser } from 'wxt/browser';
import {
  openCaptureDatabase,
  type CaptureDatabase,
  type CaptureRecord,
} from '../capture/database.ts';
import { createRecorder, type BlockStore, type Recorder } from '../capture/recorder.ts';
import { openSecrets, type Secrets } from '../capture/secrets.ts';
import type { EventOf, WireEvent } from '../capture/wire-event.ts';
import { sessionSecrets } from './stores.ts';

export interface Log {
  recorder: Recorder;
  secrets: Secrets;
}

/**
 * Opens the log of this browser profile and goes on in its newest capture. Never rejects: where IndexedDB
 * fails, recording goes on in memory and the log says so.
 */
export async function openLog(
  bootId: string,
  committed: (events: WireEvent[], isStored: boolean) => void,
): Promise<Log> {
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
  });
  recorder.record({ kind: 'worker-started', cause: causeOf(isWake, stored.isNew) });
  if (stored.isNew) recorder.record({ kind: 'capture-started', name: stored.capture.name });
  return { recorder, secrets };
}

async function openStore() {
  try {
    const database = await openCaptureDatabase();
    return await newestCapture(database);
  } catch (error) {
    // Numbers that no stored event can have, should the database be readable again next time.
    const lastSequence = Date.now() * 1000;
    const store: BlockStore = { append: () => Promise.reject(error) };
    return { store, capture: newCapture(), lastSequence, isNew: true };
  }
}

async function newestCapture(database: CaptureDatabase) {
  const captures = (await database.captures()).toSorted((a, b) => b.startedAt - a.startedAt);
  const lastSequence = Math.max(0, ...captures.map((capture) => capture.lastSequence));
  const capture = captures[0] ?? newCapture();
  if (captures.length === 0) await database.ensureCapture(capture);
  return { store: database, capture, lastSequence, isNew: captures.length === 0 };
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
