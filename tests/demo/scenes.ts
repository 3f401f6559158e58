import { expect } from '@playwright/test';
import type { PanelPage } from '../e2e/panel.ts';

/** Something to look at; each leaves the panel as it found it. */
export interface Scene {
  name: string;
  show(panel: PanelPage): Promise<void>;
  leave(panel: PanelPage): Promise<void>;
}

const PROGRESS_STEPS = 5;

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
];

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
