import type { ExchangeContext, ExchangeRequest } from './exchange.ts';
import type { Slot } from './slots.ts';

/** Waits for a connection where the browser has only so many; the wait is in the log. */
export async function takeSlot(
  context: ExchangeContext,
  httpId: string,
  { purpose, url, signal, staysOpen = purpose === 'stream' }: ExchangeRequest,
): Promise<Slot | undefined> {
  const { recorder, connectionId, slots } = context;
  let hasWaited = false;
  const slot = await slots?.take(url, staysOpen, signal, () => {
    hasWaited = true;
    const reason = 'All connections that the browser opens to this host are in use.';
    recorder.record({ kind: 'http-queued', httpId, reason }, connectionId);
  });
  if (hasWaited) recorder.record({ kind: 'http-released', httpId }, connectionId);
  return slot;
}
