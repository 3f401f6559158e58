import { browser } from 'wxt/browser';
import { onDisk, type HeldCredentials } from '../../auth/credentials.ts';

/**
 * Credentials in `storage.session`; those whose profile says so also in `storage.local`, where they outlive the
 * browser together with the clients that they were issued to.
 */
export const credentialStore = {
  async load(): Promise<HeldCredentials | undefined> {
    const [inMemory, kept] = await Promise.all([
      browser.storage.session.get('credentials'),
      browser.storage.local.get('credentials'),
    ]);
    return (inMemory['credentials'] ?? kept['credentials']) as HeldCredentials | undefined;
  },
  async save(held: HeldCredentials): Promise<void> {
    const credentials = onDisk(held);
    const { local, session } = browser.storage;
    const kept =
      credentials.credentials.length === 0
        ? local.remove('credentials')
        : local.set({ credentials });
    // A full disk costs nothing that is held now.
    await Promise.all([session.set({ credentials: held }), kept.catch(() => undefined)]);
  },
};
