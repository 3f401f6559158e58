/** So many requests of the server are remembered: what a later life has to know must stay small. */
const REMEMBERED = 100;

/** Ids of events that were acted on, which are unique within a session ("Resumability and Redelivery"). */
export interface SeenEvents {
  has(id: string): boolean;
  add(id: string): void;
  /** The event held a request of the server, which is not to be answered twice. */
  asked(id: string): void;
  /** The newest of those that asked, also of earlier lives of the worker. */
  readonly asking: readonly string[];
}

/** Nothing was seen yet, but for what an earlier life has answered. */
export function createSeenEvents(): SeenEvents {
  const seen = new Set<string>();
  let asking: string[] = [];

  return {
    has: (id) => seen.has(id),
    add: (id) => void seen.add(id),
    asked(id) {
      seen.add(id);
      asking = [...asking, id].slice(-REMEMBERED);
    },
    get asking() {
      return asking;
    },
  };
}
