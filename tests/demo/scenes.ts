import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { PanelPage } from '../e2e/panel.ts';
import type { ProtectedServer } from './protected.ts';

/** Something to look at; each leaves the panel as it found it. */
export interface Scene {
  name: string;
  show(panel: PanelPage, stage: Stage): Promise<void>;
  leave(panel: PanelPage): Promise<void>;
}

/** What scenes need besides the panel. */
export interface Stage {
  protectedServer: ProtectedServer;
}

const PROGRESS_STEPS = 5;
/** How long a user looks at the page of a login, ms. */
const READING_MS = 2400;

/** Calls of all kinds, as a developer at work makes them. */
export async function fillPanel(panel: PanelPage, url: string): Promise<void> {
  await panel.connectAndWait(url);
  await panel.send('tools/list', {});
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'Is anybody there?' } });
  await panel.send('tools/call', { name: 'get-sum', arguments: { a: 'two', b: 3 } });
  await panel.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 2, steps: PROGRESS_STEPS },
    _meta: { progressToken: 'screenshots' },
  });
  await panel.send('resources/list', {});
  await panel.send('tools/call', { name: 'get-tiny-image', arguments: {} });
  await panel.send('no/such/method', {});
  await expect(panel.rows('notifications/progress')).toHaveCount(PROGRESS_STEPS);
  await expect(panel.rows('trigger-long-running-operation')).toContainText(/\d s/);
  await panel.button('Send a request').click();
}

export const SCENES: readonly Scene[] = [
  { name: 'traffic', show: async () => {}, leave: async () => {} },
  detail('message', 'get-tiny-image', 'Message'),
  detail('headers', 'echo', 'Headers'),
  detail('stream', 'trigger-long-running-operation', 'Stream'),
  detail('timing', 'trigger-long-running-operation', 'Timing'),
  {
    name: 'filter',
    async show(panel) {
      await filterOf(panel).fill('method:tools/call -is:error ');
      await filterOf(panel).pressSequentially('to');
      await panel.root.getByRole('listbox', { name: 'Ways to go on' }).waitFor();
    },
    async leave(panel) {
      await filterOf(panel).fill('');
      await panel.traffic.focus();
    },
  },
  {
    name: 'search',
    async show(panel) {
      await panel.button('Search').click();
      await panel.root.getByRole('searchbox', { name: 'Search all traffic' }).fill('anybody');
      await panel.root.getByRole('tree', { name: 'Search results' }).waitFor();
    },
    leave: (panel) => panel.button('Search').click(),
  },
  {
    name: 'diagram',
    async show(panel) {
      await panel.button('Diagram').click();
      await panel.root.getByRole('grid', { name: 'Arrows' }).waitFor();
    },
    leave: (panel) => panel.page.keyboard.press('Escape'),
  },
  {
    name: 'menu',
    async show(panel) {
      await panel.rows('tools/call', 'get-sum').click({ button: 'right' });
      await expect(panel.root.getByRole('menuitem').first()).toBeVisible();
    },
    async leave(panel) {
      await expect(async () => {
        await panel.page.keyboard.press('Escape');
        await expect(panel.root.getByRole('menu')).toHaveCount(0, { timeout: 500 });
      }).toPass();
    },
  },
  {
    name: 'palette',
    async show(panel) {
      await panel.traffic.focus();
      await panel.page.keyboard.press('ControlOrMeta+p');
      await panel.root.getByRole('listbox', { name: 'Commands' }).waitFor();
    },
    leave: (panel) => panel.page.keyboard.press('Escape'),
  },
  {
    // The last one: it clears the traffic of the others.
    name: 'authorization',
    async show(panel, stage) {
      const chains = panel.rows('Authorization');
      if ((await chains.count()) === 0) await logIn(panel, stage.protectedServer);
      await panel.select('server/discover');
      await panel.showTab('Auth');
    },
    leave: (panel) => panel.button('Close details').click(),
  },
];

/** A first login, a refresh, and a step up, in a table of their own. */
async function logIn(panel: PanelPage, { url, peer }: ProtectedServer): Promise<void> {
  await panel.endConnections();
  await panel.button('Clear').click();
  peer.holdLogins();
  await panel.connect(url);
  await expect(panel.connections).toContainText('Finish the login');
  await delay(READING_MS);
  peer.goOn();
  await expect(panel.connections).toContainText('connected');
  peer.expire();
  await panel.send('tools/list', {});
  await expect(panel.rows('Authorization', 'refreshed')).toHaveCount(1);
  await panel.send('tools/call', { name: 'write', arguments: { path: 'notes.md' } });
  await expect(panel.rows('Authorization', 'stepped up')).toHaveCount(1);
  await panel.button('Send a request').click();
}

function filterOf(panel: PanelPage) {
  return panel.root.getByRole('combobox', { name: 'Filter' });
}

function detail(name: string, row: string, tab: Parameters<PanelPage['showTab']>[0]): Scene {
  return {
    name,
    async show(panel) {
      await panel.select(row);
      await panel.showTab(tab);
    },
    leave: (panel) => panel.button('Close details').click(),
  };
}
