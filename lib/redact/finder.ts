/** A text that is sought, and what it stands for. */
export interface Sought<T> {
  text: string;
  of: T;
}

/** Where it stands. */
export interface Hit<T> {
  offset: number;
  length: number;
  of: T;
}

/** Finds every occurrence of many texts in one pass. */
export type Finder<T> = (text: string) => Hit<T>[];

/** Every text begins with so many characters by which it is first looked for. */
const HEAD = 4;
const SLOTS = 1 << 16;

/**
 * Makes a search for texts of at least four characters: its time depends on the length of what is searched, and hardly
 * on how many are sought.
 */
export function createFinder<T>(sought: readonly Sought<T>[]): Finder<T> {
  const slots = new Uint8Array(SLOTS);
  const heads = new Map<number, Sought<T>[]>();
  for (const each of sought) {
    if (each.text.length < HEAD) throw new RangeError('Too short to be sought.');
    const head = headAt(each.text);
    slots[slotOf(head)] = 1;
    const list = heads.get(head);
    if (list === undefined) heads.set(head, [each]);
    else list.push(each);
  }
  for (const list of heads.values()) list.sort((a, b) => b.text.length - a.text.length);

  return (text) => {
    const hits: Hit<T>[] = [];
    if (heads.size === 0 || text.length < HEAD) return hits;
    let head = headAt(text) << 8;
    for (let at = 0; at + HEAD <= text.length; at += 1) {
      head = (head >>> 8) | ((text.charCodeAt(at + HEAD - 1) & 0xff) << 24);
      if (slots[slotOf(head)] === 0) continue;
      const found = heads.get(head)?.find((each) => text.startsWith(each.text, at));
      if (found !== undefined) hits.push({ offset: at, length: found.text.length, of: found.of });
    }
    return hits;
  };
}

/** The low bytes of the first characters: texts that share them are told apart later. */
function headAt(text: string): number {
  let head = 0;
  for (let at = HEAD - 1; at >= 0; at -= 1) head = (head << 8) | (text.charCodeAt(at) & 0xff);
  return head;
}

function slotOf(head: number): number {
  return Math.imul(head, 0x9e3779b1) >>> 16;
}
