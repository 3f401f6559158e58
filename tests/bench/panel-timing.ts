// What is timed in the panel by itself. All of it runs in the page: it sees nothing of this file.

/** Milliseconds from what the user does. */
export interface Change {
  /** Until the rows in sight are right. */
  firstMs: number;
  /** Until the number of rows is. */
  allMs: number;
}

/** What becomes of the table by a key or a click. */
export interface Expected {
  by: 'keydown' | 'click';
  /** Each row in sight has this in it. */
  text?: string;
  /** The rows in sight are numbered in this order of text. */
  order?: 'ascending' | 'descending';
  /** How many rows there are in the end, give or take a few. */
  rows?: number;
}

/** Waits for the user, and from then on for the table to be painted as expected. */
export function watchChange({ by, text, order, rows }: Expected): void {
  const table = document.querySelector('#traffic');
  if (table === null) throw new Error('No panel is here.');
  let start = NaN;
  const isInOrder = (texts: string[]) => {
    const numbers = texts.flatMap((each) => /number (\d+) of/.exec(each)?.[1] ?? []);
    const sorted = numbers.toSorted();
    if (order === 'descending') sorted.reverse();
    return numbers.length > 5 && numbers.join() === sorted.join();
  };
  const isRight = () => {
    const drawn = [...table.querySelectorAll('[role=row][aria-rowindex]')]
      .filter((row) => row.getAttribute('aria-rowindex') !== '1')
      .map((row) => row.textContent.toLowerCase());
    if (drawn.length === 0 || (order !== undefined && !isInOrder(drawn))) return false;
    return text === undefined || drawn.every((each) => each.includes(text));
  };
  const isWhole = () =>
    rows === undefined || Math.abs(Number(table.getAttribute('aria-rowcount')) - 1 - rows) < 15;
  const change: Partial<Change> = {};
  const { promise, resolve, reject } = Promise.withResolvers<Partial<Change>>();
  Reflect.set(globalThis, 'change', promise);
  const look = () => {
    if (!isRight()) return;
    change.firstMs ??= performance.now() - start;
    if (!isWhole()) return;
    change.allMs ??= performance.now() - start;
    resolve(change);
    observer.disconnect();
    port1.close();
  };
  // Rows change in the turn that paints them; a message comes right after it.
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', look);
  const observer = new MutationObserver(() => port2.postMessage(undefined));
  addEventListener(
    by,
    ({ timeStamp }) => {
      start = timeStamp;
      port1.start();
      observer.observe(table, {
        attributes: true,
        childList: true,
        subtree: true,
        characterData: true,
      });
      setTimeout(() => reject(new Error(`Not so: ${table.textContent}`)), 30_000);
    },
    { once: true, capture: true },
  );
}

/** How long it took, once it is so. */
export function readChange(): Promise<Change> {
  return Reflect.get(globalThis, 'change') as Promise<Change>;
}
