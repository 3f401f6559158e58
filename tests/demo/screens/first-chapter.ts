import type { Chapter } from './chapter.ts';

/** A page of the authorization server that nobody has opened yet. */
const GRANT = new URLSearchParams({
  connection: 'none',
  pattern: 'https://mcp.example.com/*',
  url: 'https://mcp.example.com/mcp',
});

/** A new user: nothing recorded, then the ways in which a connection begins or fails. */
export const first: Chapter = {
  name: 'first',
  page: 'popup.html',
  scenes: [
    { name: 'popup-new' },
    {
      name: 'empty',
      async prepare({ hand, goTo }) {
        await goTo('panel.html');
        await hand.see('[aria-label="Getting started"]');
      },
    },
    {
      name: 'options',
      show: ({ hand }) => hand.press('Options'),
      leave: ({ hand }) => hand.press('Options'),
    },
    {
      name: 'connecting',
      prepare: ({ hand, stage }) => hand.connect(stage.misbehaving.url('silent'), 'Connecting'),
    },
    {
      name: 'failed',
      async prepare({ hand, stage }) {
        await hand.press('Stop');
        await hand.press('Dismiss');
        await hand.connect(stage.misbehaving.url('web-page'), 'failed');
      },
    },
    {
      name: 'refused',
      async prepare({ hand }) {
        await hand.press('Dismiss');
        await hand.connect('http://127.0.0.1:1/mcp', 'failed');
      },
    },
    {
      name: 'settings',
      show: ({ hand }) => hand.press('Settings'),
      leave: ({ hand }) => hand.press('Close'),
    },
    {
      name: 'grant',
      prepare: ({ goTo }) => goTo(`grant.html?${GRANT}`),
    },
    {
      name: 'popup-failed',
      prepare: ({ goTo }) => goTo('popup.html'),
    },
  ],
};
