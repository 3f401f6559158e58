/** After as many deletions the entries move to a new map. */
const RENEWED_AFTER = 512;

/**
 * A map whose entries come and go all the time. V8 copies a map to a new table whenever enough was deleted, and
 * each table leads to the next: one that has grown old keeps all later ones, with everything that was ever in
 * them, from the quick collections of young objects. A map that is left behind now and then ends that chain.
 */
export class BriefMap<Key, Value> {
  #entries = new Map<Key, Value>();
  #deleted = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
  }

  delete(key: Key): void {
    if (!this.#entries.delete(key)) return;
    this.#deleted += 1;
    if (this.#deleted < RENEWED_AFTER) return;
    this.#deleted = 0;
    this.#entries = new Map(this.#entries);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]();
  }
}
