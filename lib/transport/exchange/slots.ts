/** Browsers open six HTTP/1.1 connections to one host; what comes on top waits unseen. */
const CONNECTIONS = 6;
/** Streams take no more than these, so that messages always find a way. */
const STREAMS = 4;

export interface Slot {
  /** The answer turned out to be a stream. */
  becomeStream(): void;
  release(): void;
}

/** The connections of a browser to each origin, shared by all of ours. */
export interface Slots {
  /**
   * Takes a connection, at once or when one is free; messages go before streams. `waiting` is called when it
   * has to wait. Rejects with the signal's reason.
   */
  take(url: string, isStream: boolean, signal: AbortSignal, waiting: () => void): Promise<Slot>;
  /** HTTP/2 and 3 carry all exchanges over one connection: no limit then. */
  learn(url: string, protocol: string): void;
}

interface Waiting {
  isStream: boolean;
  go(): void;
}

interface Host {
  open: number;
  streams: number;
  isMultiplexed: boolean;
  queue: Waiting[];
}

/** A queue that is ours, and so can be seen, in place of the browser's. */
export function createSlots(): Slots {
  const hosts = new Map<string, Host>();

  function hostOf(url: string): Host {
    const { origin } = new URL(url);
    const host = hosts.get(origin) ?? { open: 0, streams: 0, isMultiplexed: false, queue: [] };
    hosts.set(origin, host);
    return host;
  }

  function isFree(host: Host, isStream: boolean): boolean {
    if (host.isMultiplexed) return true;
    return host.open < CONNECTIONS && (!isStream || host.streams < STREAMS);
  }

  function occupy(host: Host, asStream: boolean): Slot {
    let isStream = asStream;
    let isHeld = true;
    host.open += 1;
    if (isStream) host.streams += 1;
    return {
      becomeStream() {
        if (isHeld && !isStream) host.streams += 1;
        isStream = true;
      },
      release() {
        if (!isHeld) return;
        isHeld = false;
        host.open -= 1;
        if (isStream) host.streams -= 1;
        next(host);
      },
    };
  }

  function next(host: Host): void {
    const candidates = [
      host.queue.find(({ isStream }) => !isStream),
      host.queue.find(({ isStream }) => isStream),
    ];
    const first = candidates.find(
      (waiting) => waiting !== undefined && isFree(host, waiting.isStream),
    );
    if (first === undefined) return;
    host.queue.splice(host.queue.indexOf(first), 1);
    first.go();
    next(host);
  }

  return {
    take(url, isStream, signal, waiting) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const host = hostOf(url);
      const isFirst = !isStream || !host.queue.some((other) => !other.isStream);
      if (isFirst && isFree(host, isStream)) return Promise.resolve(occupy(host, isStream));
      waiting();
      return new Promise((resolve, reject) => {
        const leave = () => {
          host.queue.splice(host.queue.indexOf(entry), 1);
          reject(signal.reason as Error);
        };
        const entry: Waiting = {
          isStream,
          go() {
            signal.removeEventListener('abort', leave);
            resolve(occupy(host, isStream));
          },
        };
        host.queue.push(entry);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
    learn(url, protocol) {
      const host = hostOf(url);
      host.isMultiplexed = protocol === 'h2' || protocol === 'h3';
      if (host.isMultiplexed) next(host);
    },
  };
}
