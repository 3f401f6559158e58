import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { CaptureDescription } from './capture-description.ts';
import type { CaptureRecord } from './capture-record.ts';
import type { MaskedText } from '../secrets.ts';
import { blockedError, silentError } from './storage-trouble.ts';
import type { BlockRecord } from './stored-block.ts';

export const DATABASE_NAME = 'wirescope';
const DATABASE_VERSION = 3;
/** A database that says nothing for this long counts as broken; what waits for it is shown meanwhile. */
export const PATIENCE_MS = 10_000;

interface Schema extends DBSchema {
  /** Keyed by capture and first sequence, so a range of one capture is one key range. */
  blocks: { key: [string, number]; value: BlockRecord };
  captures: { key: string; value: CaptureRecord };
  /** One record: what the worker needs to go on after it was stopped. Since version 2. */
  checkpoints: { key: string; value: MaskedText };
  /** What pages say and count of captures, by `captureId`. Since version 3. */
  descriptions: { key: string; value: CaptureDescription };
}

export type Database = IDBPDatabase<Schema>;

/** Opens a database with the first use, and anew when it was closed, refused or blocked. */
export function openedOnDemand(name: string) {
  let current: Promise<Database> | undefined;

  function connect(): Promise<Database> {
    const refusal = Promise.withResolvers<never>();
    const timer = setTimeout(() => refusal.reject(silentError(PATIENCE_MS)), PATIENCE_MS);
    const opening = openDB<Schema>(name, DATABASE_VERSION, {
      upgrade(upgraded, oldVersion) {
        if (oldVersion < 1) {
          upgraded.createObjectStore('blocks');
          upgraded.createObjectStore('captures', { keyPath: 'captureId' });
        }
        if (oldVersion < 2) upgraded.createObjectStore('checkpoints');
        if (oldVersion < 3) upgraded.createObjectStore('descriptions', { keyPath: 'captureId' });
      },
      blocked: () => refusal.reject(blockedError()),
      // The browser may close a database under us: its data was cleared, or another page deletes it.
      blocking(_current, _blocked, event) {
        forget();
        (event.target as IDBDatabase | null)?.close();
      },
      terminated: forget,
    });
    // An opening that is blocked goes on, and may succeed later: until then, every call is refused at once.
    const answer = Promise.race([opening, refusal.promise]);
    let latest = answer;
    current = answer;
    /** The next call opens it again. */
    function forget(): void {
      if (current === latest) current = undefined;
    }
    opening
      .then(() => {
        if (current === answer) current = latest = opening;
      }, forget)
      .finally(() => clearTimeout(timer));
    return answer;
  }

  return {
    connected: () => current ?? connect(),
    // A failed opening has been reported to whoever asked for it.
    close: () => void current?.then((database) => database.close()).catch(() => undefined),
  };
}
