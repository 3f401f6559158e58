type StoreName = 'blocks' | 'captures' | 'descriptions';

/** How many records were read with their values since the last call, by object store. */
export type TakeReads = () => Record<StoreName, number>;

/** Counts what is read from any IndexedDB of this process, whoever reads it, until the process ends. */
export function countRecordReads(prototype: IDBObjectStore): TakeReads {
  const none = { blocks: 0, captures: 0, descriptions: 0 };
  let reads: Record<string, number> = { ...none };
  const { get, getAll, openCursor } = prototype;

  function counted<T>(store: string, request: IDBRequest<T>, count: (result: T) => number) {
    request.addEventListener('success', () => {
      reads[store] = (reads[store] ?? 0) + count(request.result);
    });
    return request;
  }

  Object.assign(prototype, {
    get(this: IDBObjectStore, ...query: Parameters<typeof get>) {
      return counted(this.name, get.apply(this, query), (found) => (found === undefined ? 0 : 1));
    },
    getAll(this: IDBObjectStore, ...query: Parameters<typeof getAll>) {
      return counted(this.name, getAll.apply(this, query), (found) => found.length);
    },
    openCursor(this: IDBObjectStore, ...query: Parameters<typeof openCursor>) {
      return counted(this.name, openCursor.apply(this, query), (found) => (found === null ? 0 : 1));
    },
  });
  return () => {
    const { blocks = 0, captures = 0, descriptions = 0 } = reads;
    reads = { ...none };
    return { blocks, captures, descriptions };
  };
}
