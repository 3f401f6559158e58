import { render } from 'preact';
import { Popup } from '../../components/popup/Popup.tsx';
import {
  canRequestPermission,
  hostPattern,
  openGrantPage,
  openPageFeed,
  openPanelTab,
  requestHost,
} from '../../lib/browser/page/page.ts';
import { settingsStore } from '../../lib/browser/page/settings-store.ts';
import { followTheme } from '../../lib/browser/page/theme.ts';
import { watchUpdate } from '../../lib/browser/page/update.ts';
import { DEFAULT_CONNECT } from '../../lib/port/contract.ts';
import type { SavedSettings } from '../../lib/profiles/settings.ts';
import { createPopupModel } from '../../lib/state/connect/popup-model.ts';

function openTab(connectionId?: string): void {
  // The browser itself shows it when a tab cannot be opened.
  void openPanelTab(connectionId).then(() => window.close());
}

function start(saved: SavedSettings): void {
  followTheme(saved);

  const model = createPopupModel({
    openFeed: (handlers) => openPageFeed(handlers),
    door: { canRequest: canRequestPermission(), hostPattern, requestHost, openGrantPage },
    watchUpdate,
    defaults: { ...DEFAULT_CONNECT, ...saved.connect },
  });

  const root = document.getElementById('root');
  if (root !== null) render(<Popup model={model} onOpenTab={openTab} />, root);
}

void settingsStore.load().then(start);
