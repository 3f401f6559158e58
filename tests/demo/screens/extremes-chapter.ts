import { startScripted } from '../../server/scripted.ts';
import { LONG_TOOL, RTL_TOOL } from '../extremes.ts';
import type { Act, Chapter, Scene } from './chapter.ts';

const FORM = '[aria-label="Work with the server"]';
const SCREEN = '[aria-label=Server]';
const ASKED = '[aria-label="Server asks"]';
const CONNECTIONS = '[aria-label=Connections]';

/** A screen that has nothing to show yet. */
function empty(name: string, button: string): Scene {
  return {
    name: `${name}-empty`,
    show: ({ hand }) => hand.press(button),
    leave: ({ hand }) => hand.press('Close'),
  };
}

/** A tab of the form for requests before there is any connection. */
function unconnected(name: string, tab: string): Scene {
  return {
    name: `${name}-empty`,
    async show({ hand }) {
      await hand.press('Send a request');
      await hand.press(tab, `${FORM} [role=tablist]`);
    },
    async leave({ hand }) {
      // It opens where it was closed.
      await hand.press('Request', `${FORM} [role=tablist]`);
      await hand.press('Close', FORM);
    },
  };
}

function message(name: string, tool: string): Scene {
  return {
    name,
    async show({ hand }) {
      await hand.select(['tools/call', tool]);
      await hand.press('Message', '[role=tablist][aria-label=Details]');
    },
    leave: ({ hand }) => hand.press('Close details'),
  };
}

async function end({ hand }: Act): Promise<void> {
  await hand.press('Disconnect', CONNECTIONS);
  await hand.press('Dismiss', CONNECTIONS);
}

/** A server that goes away in the middle of the work. */
async function lose({ hand }: Act): Promise<void> {
  const server = await startScripted();
  await hand.connect(server.url());
  await server[Symbol.asyncDispose]();
  await hand.send('tools/list', {});
  await hand.press('Close', FORM);
  await hand.see(CONNECTIONS, 'lost');
}

/** What is seldom seen: nothing at all, far too much, and what has gone wrong. */
export const extremes: Chapter = {
  name: 'extremes',
  page: 'panel.html',
  scenes: [
    unconnected('request', 'Request'),
    unconnected('tasks', 'Tasks'),
    unconnected('subscriptions', 'Subscriptions'),
    unconnected('replay-many', 'Replay many'),
    unconnected('compare-connections', 'Compare connections'),
    empty('server', 'Server'),
    empty('report', 'Transport report'),
    {
      name: 'search-empty',
      show: ({ hand }) => hand.press('Search'),
      leave: ({ hand }) => hand.press('Close search'),
    },
    {
      name: 'no-matches-empty',
      show: ({ hand }) => hand.fill('Filter', 'nothing'),
      leave: ({ hand }) => hand.fill('Filter', ''),
    },
    {
      name: 'long-names',
      async prepare({ hand, stage }) {
        await hand.connect(stage.extremes);
        for (const name of [LONG_TOOL, RTL_TOOL]) {
          await hand.send('tools/call', { name, arguments: { أين: 'هنا' } });
        }
        await hand.see('[role=treegrid]', RTL_TOOL);
        await hand.press('Close', FORM);
      },
    },
    message('long-error', LONG_TOOL),
    message('right-to-left', RTL_TOOL),
    {
      name: 'many-tools',
      async show({ hand }) {
        await hand.press('Explore');
        await hand.press('Tools', `${SCREEN} [role=tablist]`);
        await hand.rest();
        // A narrow screen has the list or its entry.
        const list = `${SCREEN} [role=listbox]`;
        if (await hand.shows(list)) await hand.press(LONG_TOOL, list);
      },
      async leave({ hand }) {
        if (await hand.shows(`${SCREEN} button`, '‹')) await hand.press('‹', SCREEN);
        await hand.press('Close', SCREEN);
      },
    },
    {
      name: 'lost',
      async prepare(act) {
        await end(act);
        await lose(act);
      },
    },
    {
      name: 'question-url',
      async prepare(act) {
        const { hand, stage } = act;
        await end(act);
        await hand.connect(stage.everything);
        const url = `https://login.example.com/verify?session=${'0123456789'.repeat(20)}`;
        const asking = { name: 'trigger-url-elicitation', arguments: { url } };
        await hand.send('tools/call', asking);
        await hand.see(ASKED, 'Open');
        await hand.press('Close', FORM);
      },
    },
    {
      name: 'answers',
      show: ({ hand }) => hand.press('Answers', CONNECTIONS),
      leave: ({ hand }) => hand.press('Answers', CONNECTIONS),
    },
    {
      name: 'lab-armed',
      async prepare({ hand }) {
        await hand.press('Lab', CONNECTIONS);
        await hand.press('Arm');
        await hand.see(CONNECTIONS, '1 armed');
      },
    },
  ],
};
