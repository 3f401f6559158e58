// What is read in the panel by itself. All of it runs in the page: it sees nothing of this file.

/** What makes a table whole: its number of rows at least, and what one of the last of them says. */
export interface Whole {
  rows: number;
  last: string;
}

/**
 * Presses the button that sends, and waits until the status bar tells the number of rows and the last of them is
 * drawn. Resolves with how long that took, in milliseconds.
 */
export async function sendAndSettle({ rows, last }: Whole): Promise<number> {
  const table = document.querySelector('#traffic');
  const status = document.querySelector('[role=status][aria-label=Capture]');
  const send = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent.trim() === 'Send',
  );
  if (table === null || status === null || send === undefined) throw new Error('No panel is here.');
  const isWhole = () => {
    const shown = Number(table.getAttribute('aria-rowcount')) - 1;
    return (
      shown >= rows &&
      status.textContent.includes(shown.toLocaleString('en')) &&
      [...table.querySelectorAll('[role=row]')].some((row) => row.textContent.includes(last))
    );
  };
  const start = performance.now();
  send.click();
  // Looking costs little, and far less than once a frame.
  while (!isWhole()) {
    if (performance.now() - start > 180_000) {
      throw new Error(`${table.getAttribute('aria-rowcount')} rows, ${status.textContent}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - start;
}

/** The document's nodes, those of text included. */
export function countNodes(): { nodes: number; elements: number } {
  const walker = document.createTreeWalker(document);
  let nodes = 1;
  while (walker.nextNode() !== null) nodes += 1;
  return { nodes, elements: document.querySelectorAll('*').length };
}

/** The index and the text of each row that is drawn and in sight. */
export function readRowsInSight(): { index: number; text: string }[] {
  const table = document.querySelector('#traffic');
  if (table === null) throw new Error('No panel is here.');
  const frame = table.getBoundingClientRect();
  return [...table.querySelectorAll('[role=row][aria-rowindex]')].flatMap((row) => {
    const index = Number(row.getAttribute('aria-rowindex'));
    const { top, bottom } = row.getBoundingClientRect();
    const isInSight = index > 1 && bottom > frame.top && top < frame.bottom;
    return isInSight ? [{ index, text: row.textContent }] : [];
  });
}

/** Scrolls to a share of the whole way, and waits until what is there is painted. */
export async function scrollTo(share: number): Promise<void> {
  const table = document.querySelector('#traffic');
  if (table === null) throw new Error('No panel is here.');
  table.scrollTop = share * (table.scrollHeight - table.clientHeight);
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}

/**
 * Sends, and notes for each row that names the moment at which it was sent how many milliseconds later it is
 * painted; resolves when there are so many.
 */
export async function sendAndTime(count: number): Promise<number[]> {
  const table = document.querySelector('#traffic');
  const send = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent.trim() === 'Send',
  );
  if (table === null || send === undefined) throw new Error('No panel is here.');
  const times = new Map<string, number>();
  const start = performance.timeOrigin + performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    const now = performance.timeOrigin + performance.now();
    for (const row of table.querySelectorAll('[role=row]')) {
      const sent = /tick \d+ at ([\d.]+)/.exec(row.textContent)?.[1];
      // Others are from an earlier time.
      if (sent === undefined || Number(sent) < start || times.has(sent)) continue;
      times.set(sent, now - Number(sent));
    }
    if (times.size === count) resolve();
  };
  // Rows change in the turn that paints them; a message comes right after it.
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', look);
  port1.start();
  const observer = new MutationObserver(() => port2.postMessage(undefined));
  observer.observe(table, { childList: true, subtree: true, characterData: true });
  send.click();
  await promise;
  observer.disconnect();
  port1.close();
  return [...times.values()];
}

/** Milliseconds since the page began to be loaded. */
export interface Opening {
  usableMs: number;
  loadedMs: number;
}

/**
 * Notes from the start of a page when its newest rows, which say `last`, are painted, and when all of it is: the
 * status bar tells the number of rows, at least `rows`, and the table is busy no more.
 */
export function watchOpening({ rows, last }: Whole): void {
  const opening: Partial<Opening> = {};
  Reflect.set(globalThis, 'opening', opening);
  const look = () => {
    const table = document.querySelector('#traffic');
    const status = document.querySelector('[role=status][aria-label=Capture]');
    const drawn = [...(table?.querySelectorAll('[role=row]') ?? [])];
    if (table === null || !drawn.some((row) => row.textContent.includes(last))) return;
    opening.usableMs ??= performance.now();
    const shown = Number(table.getAttribute('aria-rowcount')) - 1;
    const isWhole =
      shown >= rows &&
      status?.textContent.includes(shown.toLocaleString('en')) === true &&
      table.getAttribute('aria-busy') !== 'true';
    if (isWhole) opening.loadedMs ??= performance.now();
  };
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', look);
  port1.start();
  new MutationObserver(() => port2.postMessage(undefined)).observe(document, {
    attributes: true,
    childList: true,
    subtree: true,
    characterData: true,
  });
}

/** What it has noted, once that is all. */
export async function readOpening(): Promise<Opening> {
  const opening = Reflect.get(globalThis, 'opening') as Partial<Opening>;
  while (opening.usableMs === undefined || opening.loadedMs === undefined) {
    if (performance.now() > 60_000) throw new Error(`Not loaded: ${JSON.stringify(opening)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { usableMs: opening.usableMs, loadedMs: opening.loadedMs };
}

/** Identifies the newest stored capture that holds a flood of at least so many events. */
export async function findCapture(events: number): Promise<string> {
  const answer = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error(String(request.error))));
    });
  const database = await answer(indexedDB.open('wirescope'));
  const store = database.transaction('captures').objectStore('captures');
  const captures: { captureId: string; eventCount: number }[] = await answer(store.getAll());
  database.close();
  const found = captures.find(({ eventCount }) => eventCount >= events);
  if (found === undefined) throw new Error('The flood is in no capture.');
  return found.captureId;
}
