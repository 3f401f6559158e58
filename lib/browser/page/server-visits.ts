import { browser } from 'wxt/browser';

const DATABASE = 'wirescope-servers';
const STORE = 'visits';
/** Servers whose definitions are remembered; those that were visited longest ago go first. */
const MANY = 50;

interface Stored {
  url: string;
  at: number;
}

/** What a private window has seen goes with it. */
const privately = new Map<string, Stored>();

function isPrivate(): boolean {
  return browser.extension.inIncognitoContext;
}

/**
 * What servers listed when they were last visited, by URL, in a small database of its own. Rejects with the
 * browser's error where it cannot be opened.
 */
export const serverVisits = {
  async read(url: string): Promise<unknown> {
    if (isPrivate()) return privately.get(url);
    return await inStore('readonly', (store) => store.get(url));
  },

  async write(visit: Stored): Promise<void> {
    if (isPrivate()) {
      privately.set(visit.url, visit);
      return;
    }
    await inStore('readwrite', (store) => store.put(visit));
    const all = (await inStore('readonly', (store) => store.getAll())) as Stored[];
    const tooMany = all.toSorted((a, b) => b.at - a.at).slice(MANY);
    for (const { url } of tooMany) await inStore('readwrite', (store) => store.delete(url));
  },

  async forget(url: string): Promise<void> {
    privately.delete(url);
    if (!isPrivate()) await inStore('readwrite', (store) => store.delete(url));
  },
};

async function inStore(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore(STORE, { keyPath: 'url' });
  });
  const database = (await settled(opening)) as IDBDatabase;
  try {
    const transaction = database.transaction(STORE, mode);
    return await settled(act(transaction.objectStore(STORE)));
  } finally {
    database.close();
  }
}

function settled(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The browser refused the storage.')),
    );
  });
}
