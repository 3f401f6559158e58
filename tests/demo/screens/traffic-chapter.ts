import type { Act, Chapter, Scene } from './chapter.ts';

const PROGRESS_STEPS = 5;
/** Firefox has no head to show before the first byte of a body: there some candidates wait for their deadline. */
const REPORT_MS = 60_000;
const FORM = '[aria-label="Work with the server"]';

/** Calls of all kinds, as a developer at work makes them. */
async function fill({ hand, stage }: Act): Promise<void> {
  await hand.connect(stage.everything);
  await hand.send('tools/list', {});
  await hand.send('tools/call', { name: 'echo', arguments: { message: 'Is anybody there?' } });
  await hand.send('tools/call', { name: 'get-sum', arguments: { a: 'two', b: 3 } });
  await hand.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 2, steps: PROGRESS_STEPS },
    _meta: { progressToken: 'screenshots' },
  });
  await hand.send('resources/list', {});
  await hand.send('tools/call', { name: 'get-tiny-image', arguments: {} });
  await hand.send('no/such/method', {});
  await hand.see('[role=treegrid]', `${PROGRESS_STEPS} of ${PROGRESS_STEPS}`);
  await hand.press('Close', FORM);
}

function detail(name: string, parts: string[], tab: string): Scene {
  return {
    name,
    async show({ hand }) {
      await hand.select(parts);
      await hand.press(tab, '[role=tablist][aria-label=Details]');
    },
    leave: ({ hand }) => hand.press('Close details'),
  };
}

async function escape({ hand }: Act): Promise<void> {
  await hand.key('Escape');
  // Keys of the panel wait until what lay over it is gone.
  await hand.rest();
}

/** The traffic with everything that can be seen of it. */
export const traffic: Chapter = {
  name: 'traffic',
  page: 'panel.html',
  scenes: [
    { name: 'traffic', prepare: fill },
    detail('message', ['get-tiny-image'], 'Message'),
    detail('message-error', ['get-sum'], 'Message'),
    detail('headers', ['echo'], 'Headers'),
    detail('stream', ['trigger-long-running-operation'], 'Stream'),
    detail('timing', ['trigger-long-running-operation'], 'Timing'),
    {
      name: 'filter',
      async show({ hand }) {
        await hand.fill('Filter', 'method:tools/call -is:error to');
        await hand.see('[role=listbox]');
      },
      leave: ({ hand }) => hand.fill('Filter', ''),
    },
    {
      name: 'no-matches',
      show: ({ hand }) => hand.fill('Filter', 'method:prompts/get slower-than:2s'),
      leave: ({ hand }) => hand.fill('Filter', ''),
    },
    {
      name: 'search',
      async show({ hand }) {
        await hand.press('Search');
        await hand.fill('Search all traffic', 'anybody');
        await hand.see('[role=tree][aria-label="Search results"]');
      },
      leave: ({ hand }) => hand.press('Close search'),
    },
    {
      name: 'menu',
      show: ({ hand }) => hand.select(['tools/call', 'get-sum'], true),
      leave: escape,
    },
    {
      name: 'columns',
      show: ({ hand }) => hand.press('Columns'),
      leave: escape,
    },
    {
      name: 'palette',
      async show({ hand }) {
        await hand.focus('[role=treegrid]');
        await hand.key('p', true);
        await hand.see('[role=listbox][aria-label=Commands]');
      },
      leave: escape,
    },
    {
      name: 'keys',
      show: ({ hand }) => hand.press('Keys'),
      leave: escape,
    },
    {
      name: 'diagram',
      async show({ hand }) {
        await hand.press('Diagram');
        await hand.see('[role=grid][aria-label=Arrows]');
      },
      leave: ({ hand }) => hand.press('Close'),
    },
    {
      name: 'report',
      async show({ hand, stage }) {
        await hand.fill('MCP endpoint URL', stage.everything);
        await hand.press('Transport report');
        const screen = '[aria-label="Transport report"]';
        if (!(await hand.shows(screen, 'Official clients'))) await hand.allow('Run', screen);
        await hand.see(screen, 'Official clients', REPORT_MS);
      },
      leave: ({ hand }) => hand.press('Close', '[aria-label="Transport report"]'),
    },
    {
      name: 'lab',
      show: ({ hand }) => hand.press('Lab'),
      leave: ({ hand }) => hand.press('Lab'),
    },
    {
      name: 'export',
      async show({ hand }) {
        await hand.press('Captures');
        await hand.press('Export ');
        await hand.see('[role=alertdialog]');
      },
      async leave({ hand }) {
        await hand.press('Cancel', '[role=alertdialog]');
        await hand.press('Close', '[aria-label=Captures]');
      },
    },
    {
      name: 'hints',
      async prepare({ hand, stage }) {
        await hand.press('Disconnect');
        await hand.press('Dismiss');
        await hand.connect(stage.misbehaving.url('silent?at=tools/call'));
        await hand.send('tools/call', { name: 'search', arguments: { query: 'mcp' } });
        await hand.press('Close', FORM);
      },
      async show({ hand }) {
        await hand.select(['tools/call', 'search']);
        await hand.press('Message', '[role=tablist][aria-label=Details]');
        await hand.see('[aria-label="Why it may hang"]', 'Nothing');
      },
      leave: ({ hand }) => hand.press('Close details'),
    },
    { name: 'popup', prepare: ({ goTo }) => goTo('popup.html') },
  ],
};
