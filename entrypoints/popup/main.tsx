import { render } from 'preact';
import { Popup } from '../../components/popup/Popup.tsx';
import {
  canRequestPermission,
  hostPattern,
  openGrantPage,
  openPageFeed,
  openPanelTab,
  requestHost,
} from '../../lib/browser/page.ts';
import { DEFAULT_CONNECT } from '../../lib/port/contract.ts';
import { createPopupModel } from '../../lib/state/popup-model.ts';

const model = createPopupModel({
  openFeed: (handlers) => openPageFeed(handlers),
  door: { canRequest: canRequestPermission(), hostPattern, requestHost, openGrantPage },
  defaults: DEFAULT_CONNECT,
});

function openTab(): void {
  // The browser itself shows it when a tab cannot be opened.
  void openPanelTab().then(() => window.close());
}

const root = document.getElementById('root');
if (root !== null) render(<Popup model={model} onOpenTab={openTab} />, root);
