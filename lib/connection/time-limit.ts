import { ExchangeAbort } from '../transport/exchange/exchange.ts';

/** A signal that ends an exchange after a time, in milliseconds, or together with `parent`. */
export function timeLimit(durationMs: number, message: string, parent?: AbortSignal) {
  const controller = new AbortController();
  const start = () =>
    setTimeout(
      () => controller.abort(new ExchangeAbort('deadline', { code: 'deadline', message })),
      durationMs,
    );
  let timer = start();
  let isStopped = false;
  const { signal } = controller;
  return {
    signal: parent === undefined ? signal : AbortSignal.any([parent, signal]),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    /** Stops the time, or starts it anew, while somebody has to be asked before anything can go on. */
    hold(isHeld: boolean) {
      clearTimeout(timer);
      if (!isHeld && !isStopped) timer = start();
    },
  };
}
