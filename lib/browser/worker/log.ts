import { browser } from 'wxt/browser';
import { logDatabase } from '../../capture/store/database.ts';
import { openLog, type Log, type LogListener } from '../../capture/store/log.ts';
import type { StorageFunctions } from '../../port/contract.ts';
import { localLimit, sessionLog, sessionSecrets } from './stores.ts';

/** Opens the log of this browser profile, with what pages can ask of it. Never rejects. */
export async function openBrowserLog(
  bootId: string,
  listener: LogListener,
  wasReplaced: () => boolean,
): Promise<Log & { functions: StorageFunctions }> {
  const log = await openLog(bootId, listener, {
    database: logDatabase(),
    secrets: sessionSecrets,
    session: sessionLog,
    ...localLimit,
    estimate: () => navigator.storage.estimate(),
    wasReplaced,
    // It is asked for its being activity.
    touch: () => void browser.runtime.getPlatformInfo().catch(() => undefined),
  });
  const { report, pin, remove, setLimit } = log.retention;
  return {
    ...log,
    functions: {
      storage: report,
      pinCapture: pin,
      deleteCaptures: remove,
      setStorageLimit: setLimit,
      splitCapture: async () => log.split(),
    },
  };
}
