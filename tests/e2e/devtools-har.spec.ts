import type { Page } from '@playwright/test';
import { walks } from '../journeys.ts';
import { writtenFixture, type HarCounts } from '../support/har-files.ts';
import { expect, test } from './fixtures.ts';

/** Has the Network panel of DevTools load a HAR file, and counts what it made of it. Rests on Chromium 156. */
async function loadIntoNetworkPanel(devtools: Page, har: string): Promise<HarCounts> {
  return await devtools.evaluate(async (text) => {
    const [legacy, logs]: string[] = ['./ui/legacy/legacy.js', './models/logs/logs.js'];
    const UI = (await import(legacy ?? '')) as LegacyUi;
    const { NetworkLog } = (await import(logs ?? '')) as Logs;
    const manager = UI.ViewManager.ViewManager.instance();
    await manager.showView('network');
    const panel = await manager.view('network').widget();
    await panel.networkLogView.onLoadFromFile(new File([text], 'exported.mcp.har'));
    const requests = NetworkLog.NetworkLog.instance().requests();
    const sum = (count: (request: Request) => number) =>
      requests.reduce((total, request) => total + count(request), 0);
    return {
      entries: requests.length,
      events: sum((request) => request.eventSourceMessages().length),
      frames: sum((request) => request.frames().length),
    };
  }, har);
}

interface Request {
  eventSourceMessages(): unknown[];
  frames(): unknown[];
}
interface LegacyUi {
  ViewManager: {
    ViewManager: {
      instance(): {
        showView(id: string): Promise<void>;
        view(id: string): {
          widget(): Promise<{ networkLogView: { onLoadFromFile(file: File): Promise<void> } }>;
        };
      };
    };
  };
}
interface Logs {
  NetworkLog: { NetworkLog: { instance(): { requests(): Request[] } } };
}

test('Chrome’s own Network panel loads what we write: as many entries, events and frames', async ({
  wirescope,
}) => {
  walks('Load a file into the Network panel of the browser');
  const { text, counts } = await writtenFixture();
  const panel = await wirescope.openPanel('bottom');
  expect(counts).toEqual({ entries: 49, events: 56, frames: 11 });
  await expect.poll(() => loadIntoNetworkPanel(panel.page, text)).toEqual(counts);
});
