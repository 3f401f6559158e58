import { ExchangeAbort } from '../transport/exchange.ts';

/** A signal that ends an exchange after a time, in milliseconds, or together with `parent`. */
export function timeLimit(durationMs: number, message: string, parent?: AbortSignal) {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new ExchangeAbort('deadline', { code: 'deadline', message })),
    durationMs,
  );
  const { signal } = controller;
  return {
    signal: parent === undefined ? signal : AbortSignal.any([parent, signal]),
    stop: () => clearTimeout(timer),
  };
}
