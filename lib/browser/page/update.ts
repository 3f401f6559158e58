import { browser } from 'wxt/browser';

/**
 * Tells the version of an update that waits, now and when there is one, until its result is called. The background
 * writes it down (`browser/worker/update`).
 */
export function watchUpdate(listener: (version: string) => void): () => void {
  // There is none in a page of an extension that was replaced since.
  const area = (browser as Partial<typeof browser>).storage?.session;
  if (area === undefined) return () => undefined;
  const take = (version: unknown) => {
    if (typeof version === 'string') listener(version);
  };
  const changed = ({ update }: { update?: { newValue?: unknown } }) => take(update?.newValue);
  area.onChanged.addListener(changed);
  area.get('update').then(
    ({ update }) => take(update),
    () => undefined,
  );
  return () => area.onChanged.removeListener(changed);
}
