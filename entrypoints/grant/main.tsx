import { render } from 'preact';
import { Grant } from '../../components/grant/Grant.tsx';
import { openPageFeed, requestHost } from '../../lib/browser/page/page.ts';
import { settingsStore } from '../../lib/browser/page/settings-store.ts';
import { followTheme } from '../../lib/browser/page/theme.ts';
import { createGrantModel, readGrantRequest } from '../../lib/state/connect/grant-model.ts';

// The question does not wait for it.
void settingsStore.load().then(followTheme);

const root = document.getElementById('root');
const request = readGrantRequest(location.search);

/** This page asks one question and listens to nothing. */
const DEAF = { events: ignore, connections: ignore, status: ignore };

function ignore(): void {}

function createModel() {
  if (request === undefined) return undefined;
  const feed = openPageFeed(DEAF);
  return createGrantModel(request, feed.background, requestHost, () => window.close());
}

if (root !== null) render(<Grant model={createModel()} />, root);
