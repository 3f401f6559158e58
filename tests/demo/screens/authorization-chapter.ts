import { setTimeout as delay } from 'node:timers/promises';
import type { Act, Chapter } from './chapter.ts';

/** How long a user looks at the page of a login, ms. */
const READING_MS = 2400;
const FORM = '[aria-label="Work with the server"]';

/** A first login that waits for its user. */
async function begin({ hand, stage: { protectedServer } }: Act): Promise<void> {
  protectedServer.peer.holdLogins();
  await hand.connect(protectedServer.url, 'Finish the login');
}

/** The rest of it, a refresh, and a step up. */
async function goOn({ hand, stage: { protectedServer } }: Act): Promise<void> {
  const { peer } = protectedServer;
  await delay(READING_MS);
  peer.goOn();
  await hand.see('[aria-label=Connections]', 'connected');
  peer.expire();
  await hand.send('tools/list', {});
  await hand.see('[role=treegrid]', 'refreshed');
  await hand.send('tools/call', { name: 'write', arguments: { path: 'notes.md' } });
  await hand.see('[role=treegrid]', 'stepped up');
  await hand.press('Close', FORM);
}

/** Logins, and what came of them. */
export const authorization: Chapter = {
  name: 'authorization',
  page: 'panel.html',
  scenes: [
    { name: 'login', prepare: begin },
    {
      name: 'authorization',
      prepare: goOn,
      async show({ hand }) {
        await hand.select(['server/discover']);
        await hand.press('Auth', '[role=tablist][aria-label=Details]');
      },
      leave: ({ hand }) => hand.press('Close details'),
    },
    {
      name: 'issues',
      async show({ hand }) {
        await hand.select(['tools/call', 'write']);
        await hand.press('Issues', '[role=tablist][aria-label=Details]');
      },
      leave: ({ hand }) => hand.press('Close details'),
    },
    {
      name: 'authorization-diagram',
      async show({ hand }) {
        await hand.press('Diagram');
        await hand.see('[role=grid][aria-label=Arrows]');
      },
      leave: ({ hand }) => hand.press('Close'),
    },
    {
      name: 'credentials',
      show: ({ hand }) => hand.press('Credentials', '[aria-label=Connections]'),
      leave: ({ hand }) => hand.press('Close'),
    },
  ],
};
