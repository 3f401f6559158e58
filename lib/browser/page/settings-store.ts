import { browser } from 'wxt/browser';
import { AppError } from '../../errors.ts';
import { readSettings, type SettingsStore } from '../../profiles/settings.ts';

const KEY = 'settings';

/** A window that DevTools has opened of a page of ours may have no storage. */
function localArea(): typeof browser.storage.local | undefined {
  return (browser as Partial<typeof browser>).storage?.local;
}

/** Settings in `storage.local`: the popup, the panel and the permission page share them. */
export const settingsStore: SettingsStore = {
  async load() {
    try {
      return readSettings((await localArea()?.get(KEY))?.[KEY]);
    } catch {
      return {};
    }
  },
  async save(settings) {
    const area = localArea();
    if (area === undefined) throw new AppError(NO_STORAGE);
    await area.set({ [KEY]: settings });
  },
  onChange(listener) {
    localArea()?.onChanged.addListener((changes) => {
      if (KEY in changes) listener(readSettings(changes[KEY]?.newValue));
    });
  },
};

const NO_STORAGE = {
  code: 'storage-failed',
  message: 'This window has no access to the storage of the extension.',
  advice: 'Open Wirescope in a tab, from its button in the toolbar, and change the settings there.',
} as const;
