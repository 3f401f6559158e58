import { browser } from 'wxt/browser';
import { readSettings, type SettingsStore } from '../profiles/settings.ts';

const KEY = 'settings';

/** Settings in `storage.local`: the popup, the panel and the permission page share them. */
export const settingsStore: SettingsStore = {
  async load() {
    try {
      return readSettings((await browser.storage.local.get(KEY))[KEY]);
    } catch {
      return {};
    }
  },
  save: (settings) => browser.storage.local.set({ [KEY]: settings }),
  onChange(listener) {
    // A page that another one has opened may have no storage: it keeps what it began with.
    const { storage } = browser as Partial<typeof browser>;
    storage?.local.onChanged.addListener((changes) => {
      if (KEY in changes) listener(readSettings(changes[KEY]?.newValue));
    });
  },
};
