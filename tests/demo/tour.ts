import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from '@playwright/test';
import { openDevtoolsPanel } from '../support/chromium.ts';
import type { ChromiumBrowser } from '../support/chromium.ts';
import { PanelPage } from '../e2e/panel.ts';

const PAGE = 'data:text/html,<title>Wirescope</title><p>Wirescope is the MCP tab of DevTools.';
const TRANSPORT = /^(?:Streamable HTTP|HTTP\+SSE|WebSocket)$/;

/** A tool of server-everything that streams its progress. */
const TOOL_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 2, steps: 5 },
  _meta: { progressToken: 'demo' },
};

export interface TourOptions {
  url: string;
  /** Whether tools of this server may be called: those of a stranger could change things. */
  canCallTools: boolean;
  screenshot: string;
}

export interface TourResult {
  /** Server, transport, era and revision, as the panel shows them. */
  connected: string;
  /** The traffic table, header first. */
  table: string[][];
}

/** Does by the real user interface what a new user would: opens the panel, connects, lists, calls, looks. */
export async function takeTour(
  browser: ChromiumBrowser,
  { url, canCallTools, screenshot }: TourOptions,
): Promise<TourResult> {
  const page = browser.context.pages()[0] ?? (await browser.context.newPage());
  await page.goto(PAGE);
  const opened = await openDevtoolsPanel(browser, page, 'undocked');
  const panel = new PanelPage(opened.panel);
  await panel.connect(url);
  const outcome = panel.connections.getByText(/^(?:connected|failed|lost\b.*)$/);
  await outcome.or(panel.root.getByRole('alert')).first().waitFor({ timeout: 20_000 });
  if (!(await panel.connections.getByText('connected', { exact: true }).isVisible())) {
    const told = await panel.connections.or(panel.root.getByRole('alert')).allInnerTexts();
    throw new Error(`Could not connect to ${url}.\n${told.join('\n').trim()}`);
  }
  const connected = toConnectedWords(await panel.connections.innerText());

  await panel.send('tools/list', {});
  await expect(panel.rows('tools/list', '200')).toHaveCount(1);
  if (canCallTools) {
    await panel.send('tools/call', TOOL_CALL);
    await expect(panel.rows('tools/call', TOOL_CALL.name, '200')).toHaveCount(1);
    await expect(panel.rows('notifications/progress')).toHaveCount(TOOL_CALL.arguments.steps);
    await expect(panel.rows('tools/call').last()).toContainText(/\d s$/);
  }
  await panel.button('Send a request').click();
  const table = await panel.readWholeTable();

  await panel.select(canCallTools ? 'tools/call' : 'tools/list');
  await panel.traffic.press('Enter');
  await panel.showTab(canCallTools ? 'Stream' : 'Message');
  mkdirSync(dirname(screenshot), { recursive: true });
  await opened.devtools.screenshot({ path: screenshot });
  return { connected, table };
}

function toConnectedWords(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const index = lines.findIndex((line) => TRANSPORT.test(line));
  const [server, transport, revision] = [lines[index - 1], lines[index], lines[index + 1]];
  if (index < 1 || revision === undefined) throw new Error(`Cannot be read:\n${text}`);
  return `connected: ${server} over ${transport}, ${revision}`;
}

/** Cells as columns of text. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
