import { render } from 'preact';
import '@preact/signals';
import { Grant } from '../../components/grant/Grant.tsx';
import { openPageFeed, requestHost } from '../../lib/browser/page.ts';
import { createGrantModel, readGrantRequest } from '../../lib/state/grant-model.ts';

const root = document.getElementById('root');
const request = readGrantRequest(location.search);

function createModel() {
  if (request === undefined) return undefined;
  const ignore = () => undefined;
  const feed = openPageFeed(
    { events: ignore, connections: ignore, status: ignore },
    { events: false },
  );
  return createGrantModel(request, feed.background, requestHost, () => window.close());
}

if (root !== null) render(<Grant model={createModel()} />, root);
