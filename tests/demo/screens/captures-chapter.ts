import type { Act, Chapter } from './chapter.ts';

const CAPTURES = 'section[aria-label=Captures]';
const FORM = '[aria-label="Work with the server"]';

async function visit({ hand, stage }: Act, message: string): Promise<void> {
  await hand.connect(stage.everything);
  await hand.send('tools/list', {});
  await hand.send('tools/call', { name: 'echo', arguments: { message } });
  await hand.see('[role=treegrid]', 'tools/call echo');
  await hand.press('Close', FORM);
  await hand.press('Disconnect');
  await hand.press('Dismiss');
}

/** Captures on the shelf. */
export const captures: Chapter = {
  name: 'captures',
  page: 'panel.html',
  scenes: [
    {
      name: 'captures',
      async prepare(act) {
        const { hand } = act;
        await hand.see('[aria-label=Examples] button');
        await hand.press('A login', '[aria-label=Examples]');
        await hand.see('[role=treegrid]', 'Authorization');
        await hand.press('Back to live');
        await hand.see('[aria-label=Examples]');
        await visit(act, 'first run');
        await hand.press('Captures');
        await hand.press('Start a new capture');
        await hand.see(CAPTURES, 'A new capture has begun.');
        await hand.press('Close', CAPTURES);
        await visit(act, 'second run');
        await hand.press('Captures');
      },
    },
    {
      name: 'capture-editor',
      async show({ hand }) {
        await hand.press('More for ', `${CAPTURES} tbody tr:last-child`);
        await hand.press('Name, tags and note', '[role=menu]');
        await hand.see('dialog');
        await hand.fill('Tags', 'bug, staging', 'dialog');
      },
      leave: ({ hand }) => hand.press('Cancel', 'dialog'),
    },
    {
      name: 'capture-search',
      async show({ hand }) {
        await hand.fill('Search all captures', 'run');
        await hand.see('#capture-hits li');
      },
      leave: ({ hand }) => hand.fill('Search all captures', ''),
    },
    {
      name: 'compare',
      async prepare({ hand }) {
        await hand.press('Compare ', `${CAPTURES} tbody tr:nth-child(1)`);
        await hand.press('Compare ', `${CAPTURES} tbody tr:nth-child(2)`);
        await hand.press('Compare', CAPTURES);
        await hand.see(CAPTURES, 'of them changed');
        await hand.press('tools/call', '[aria-label=Exchanges]');
      },
    },
    {
      name: 'compare-definitions',
      async show({ hand }) {
        await hand.press('Definitions', CAPTURES);
        await hand.press('Only differences', CAPTURES);
      },
      async leave({ hand }) {
        await hand.press('Only differences', CAPTURES);
        await hand.press('Exchanges', CAPTURES);
      },
    },
    {
      name: 'capture-stored',
      async prepare({ hand }) {
        await hand.press('‹ All captures', CAPTURES);
        await hand.press('Open Example', CAPTURES);
        await hand.see('[aria-label="Stored capture"]');
      },
      async show({ hand }) {
        await hand.select(['tools/list']);
        await hand.press('Auth', '[role=tablist][aria-label=Details]');
      },
      leave: ({ hand }) => hand.press('Close details'),
    },
  ],
};
