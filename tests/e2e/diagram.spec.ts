import { readFileSync } from 'node:fs';
import { walks } from '../journeys.ts';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 0.4, steps: 2 },
  _meta: { progressToken: 'diagram' },
};

function parts(panel: PanelPage) {
  const screen = panel.root.getByRole('region', { name: 'Sequence diagram' });
  const grid = screen.getByRole('grid', { name: 'Arrows' });
  return {
    screen,
    grid,
    said: screen.getByRole('status', { name: 'Diagram' }),
    arrows: grid.getByRole('row').filter({ has: panel.root.getByRole('gridcell') }),
    scope: (name: string) => screen.getByRole('button', { name, exact: true }),
  };
}

test('a diagram of a call shows who said what in order of time, and leads to the rows', async ({
  panel,
  everything,
}) => {
  walks('Draw a diagram');
  await panel.connectAndWait(everything.url);
  await panel.send('tools/list');
  await panel.send('tools/call', CALL);
  await expect(panel.rows('notifications/progress', '2 of 2')).toHaveCount(1);
  await panel.requests('tools/call').click();
  await panel.button('Diagram').click();
  const { screen, grid, arrows, said, scope } = parts(panel);
  // The selected call alone, with what belongs to it.
  await expect(scope('Selected row')).toHaveAttribute('aria-pressed', 'true');
  await expect(arrows).toContainText([
    /Wirescope to .*everything.*: tools\/call trigger-long-running-operation/,
    /everything.* to Wirescope: progress 1 of 2/,
    /progress 2 of 2/,
    /everything.* to Wirescope: 200 result/,
  ]);
  await expect(said).toHaveText('4 arrows');
  await expect(grid.getByRole('columnheader')).toHaveText([
    'Time',
    /Wirescope.*client/s,
    /everything.*127\.0\.0\.1/s,
  ]);
  expect(await findViolations(panel.root)).toEqual([]);

  await grid.focus();
  await grid.press('ArrowDown');
  await grid.press('ArrowDown');
  await grid.press('Enter');
  await expect(screen).toHaveCount(0);
  await expect(panel.traffic.getByRole('row', { selected: true })).toContainText('1 of 2');
  await expect(panel.details).toBeVisible();
  await expect(panel.traffic).toBeFocused();

  await panel.button('Diagram').click();
  await scope('Whole capture').click();
  await expect(said).not.toHaveText('4 arrows');
  await expect(said).toHaveText(/^[\d,]+ arrows$/);
  await panel.root.getByRole('region', { name: 'Sequence diagram' }).press('Escape');
  await expect(screen).toHaveCount(0);
});

test('new traffic is drawn as it comes, and what waits is open', async ({ panel, misbehaving }) => {
  walks('Follow a diagram as traffic comes');
  await panel.connectAndWait(misbehaving.url('silent?at=tools/call'));
  await panel.button('Diagram').click();
  const { arrows, scope } = parts(panel);
  await scope('Rows shown').click();
  await panel.send('tools/call', { name: 'never' });
  const call = arrows.filter({ hasText: 'tools/call never' });
  await expect(call).toContainText('pending');
  await panel.connections.getByRole('button', { name: 'Disconnect' }).click();
  await expect(call).not.toContainText('pending');
});

test('the diagram is saved as an SVG file and copied as Mermaid text', async ({
  panel,
  everything,
}) => {
  walks('Save and copy a diagram');
  await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', CALL);
  await expect(panel.rows('notifications/progress', '2 of 2')).toHaveCount(1);
  await panel.requests('tools/call').click();
  await panel.button('Diagram').click();
  await expect(parts(panel).said).toHaveText('4 arrows');
  const [download] = await Promise.all([
    panel.page.waitForEvent('download'),
    panel.button('Save as SVG').click(),
  ]);
  expect(download.suggestedFilename()).toBe('sequence-diagram.svg');
  const svg = readFileSync(await download.path(), 'utf8');
  expect(svg).toContain('progress 2 of 2');
  const drawn = await panel.root.evaluate((text) => {
    const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [documentElement.localName, documentElement.querySelectorAll('text').length];
  }, svg);
  expect(drawn).toEqual(['svg', 12]);

  await panel.button('Copy as Mermaid').click();
  await expect(panel.button('Copied')).toBeVisible();
  const text = await panel.page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^sequenceDiagram\n {4}participant P1 as Wirescope/);
  expect(text).toContain('P2-)P1: progress 2 of 2\n');
});
