import type { SavedSettings } from '../../profiles/settings.ts';
import { devtoolsTheme, onThemeChange } from './page.ts';
import { settingsStore } from './settings-store.ts';

/** Gives the page the theme that the user has chosen, or that of DevTools around it, and follows both. */
export function followTheme({ theme }: SavedSettings): void {
  let chosen = theme;
  let around = devtoolsTheme();

  function show(): void {
    const shown = chosen ?? around;
    // Outside DevTools the system's own choice holds.
    if (shown === undefined) delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = shown;
  }

  show();
  onThemeChange((named) => {
    around = named;
    show();
  });
  settingsStore.onChange((settings) => {
    chosen = settings.theme;
    show();
  });
}
