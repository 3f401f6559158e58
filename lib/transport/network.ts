/** What the browser knows about the network, which is only whether there is one. */
export interface Network {
  /** Whether there is no way to this URL now. A server on this machine needs no network. */
  isOffline(url: string): boolean;
  /**
   * Resolves once there may be a way to this URL; `held` is called where that takes time. Rejects with the
   * signal's reason.
   */
  online(url: string, signal: AbortSignal, held: () => void): Promise<void>;
  /** Takes the word of the browser. */
  set(isOnline: boolean): void;
}

/** A network that is there until the browser says otherwise. */
export function createNetwork(): Network {
  let back: PromiseWithResolvers<void> | undefined;

  function isOffline(url: string): boolean {
    return back !== undefined && !isOnThisMachine(url);
  }

  return {
    isOffline,
    async online(url, signal, held) {
      if (isOffline(url)) held();
      while (back !== undefined && isOffline(url)) await orAborted(back.promise, signal);
    },
    set(isOnline) {
      if (!isOnline) {
        back ??= Promise.withResolvers<void>();
        return;
      }
      back?.resolve();
      back = undefined;
    },
  };
}

function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(hostname);
}

function orAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    void promise.then(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
