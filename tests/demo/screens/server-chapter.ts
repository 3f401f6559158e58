import type { Act, Chapter, Scene } from './chapter.ts';

const SCREEN = '[aria-label=Server]';

function tab(name: string): Scene {
  return {
    name: `server-${name.toLowerCase()}`,
    show: ({ hand }) => hand.press(name, SCREEN),
  };
}

/** An entry with its form, called or read once. */
function entry(name: string, list: string, title: string, use: (act: Act) => Promise<void>): Scene {
  return {
    name,
    async prepare(act) {
      const { hand } = act;
      await hand.press(list, `${SCREEN} [role=tablist]`);
      await hand.press(title, `${SCREEN} [role=listbox]`);
      await use(act);
    },
    async show({ hand }) {
      await hand.see(`${SCREEN} [aria-label^="Result of"]`);
    },
    async leave({ hand }) {
      if (await hand.shows(`${SCREEN} button`, '‹')) await hand.press('‹', SCREEN);
    },
  };
}

/** What a server offers, and its forms. */
export const server: Chapter = {
  name: 'server',
  page: 'panel.html',
  scenes: [
    {
      name: 'server-new',
      async prepare({ hand, stage }) {
        await hand.connect(stage.everything);
        await hand.press('Explore');
        await hand.see(SCREEN);
        await hand.press('Overview', SCREEN);
      },
    },
    {
      name: 'server-overview',
      async prepare({ hand }) {
        await hand.press('Load all lists', SCREEN);
        await hand.see(`${SCREEN} [role=tab]`, 'Prompts (4)');
      },
    },
    tab('Tools'),
    tab('Resources'),
    tab('Templates'),
    tab('Prompts'),
    entry('server-tool', 'Tools', 'get-sum', async ({ hand }) => {
      await hand.fill('a (required)', '40', SCREEN);
      await hand.fill('b (required)', '2', SCREEN);
      await hand.press('Call', SCREEN);
    }),
    entry('server-structured', 'Tools', 'get-structured-content', async ({ hand }) => {
      await hand.choose('location (required)', 'Chicago', SCREEN);
      await hand.press('Call', SCREEN);
    }),
    entry('server-image', 'Tools', 'get-tiny-image', ({ hand }) => hand.press('Call', SCREEN)),
    entry('server-links', 'Tools', 'get-resource-links', ({ hand }) => hand.press('Call', SCREEN)),
    entry('server-template', 'Templates', 'demo://resource/dynamic/text', async ({ hand }) => {
      await hand.fill('resourceId', '7', SCREEN);
      await hand.press('Read', SCREEN);
    }),
    entry('server-prompt', 'Prompts', 'args-prompt', async ({ hand }) => {
      await hand.fill('city (required)', 'Bonn', SCREEN);
      await hand.press('Get', SCREEN);
    }),
    {
      name: 'server-form',
      async prepare({ hand, stage }) {
        await hand.press('Close', SCREEN);
        await hand.connect(stage.forms);
        await hand.press('Explore', '[aria-label=Connections] li:last-child');
        await hand.press('Tools', `${SCREEN} [role=tablist]`);
        await hand.press('form', `${SCREEN} [role=listbox]`);
        await hand.fill('name (required)', 'A', SCREEN);
        await hand.press('Add item to addresses', SCREEN);
        await hand.press('Add node', SCREEN);
      },
    },
    {
      name: 'server-form-json',
      show: ({ hand }) => hand.press('JSON', SCREEN),
      leave: ({ hand }) => hand.press('Form', SCREEN),
    },
  ],
};
