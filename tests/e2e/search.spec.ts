import { walks } from '../journeys.ts';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 0.5, steps: 4 },
  _meta: { progressToken: 'needle-token' },
};

function parts(panel: PanelPage) {
  const pane = panel.root.getByRole('region', { name: 'Search', exact: true });
  return {
    pane,
    field: pane.getByRole('searchbox', { name: 'Search all traffic' }),
    said: pane.getByRole('status', { name: 'Search results' }),
    results: pane.getByRole('tree', { name: 'Search results' }),
    matches: pane.getByRole('treeitem', { level: 2 }),
  };
}

/** Text that is marked in the details. */
function marked(panel: PanelPage): Promise<string[]> {
  return panel.root.evaluate(() =>
    [...(CSS.highlights.get('search-match-current') ?? [])].map(String),
  );
}

test('a search finds text in messages, headers and streams, and leads to the tab that shows it', async ({
  panel,
  everything,
}) => {
  walks('Search all traffic');
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', CALL);
  await expect(panel.rows('notifications/progress', '4 of 4')).toHaveCount(1);
  await panel.button('Search').click();
  const { field, said, matches, results, pane } = parts(panel);
  await expect(field).toBeFocused();
  await field.fill('NEEDLE-token');
  // In the call, and in each notification of progress.
  await expect(said).toHaveText('5 matches in 5 rows');
  await expect(matches.first()).toContainText('needle-token');

  await matches.last().click();
  await expect(panel.details).toBeVisible();
  await expect(panel.rows('notifications/progress', '4 of 4')).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect.poll(() => marked(panel)).toEqual(['needle-token']);

  // Far down in a tree, and in a closed part of it.
  await panel.send('tools/list');
  await field.fill('Number of steps in the operation');
  await matches.filter({ hasText: 'Number of steps' }).first().click();
  await expect.poll(() => marked(panel)).toEqual(['Number of steps in the operation']);
  const row = panel.details.getByRole('treeitem', { selected: true });
  await expect(row).toContainText('Number of steps in the operation');
  await expect(row).toBeInViewport();

  // Rows that were cleared away are searched too: those of earlier tests, of which there may be many.
  await pane.getByRole('checkbox', { name: 'Only rows shown' }).check();
  await field.fill('text/event-stream');
  await expect(said).toContainText(/matches in \d+ rows/);
  const header = matches.filter({ hasText: 'Response header' }).last();
  await header.click();
  await expect(panel.detailTabs.filter({ hasText: 'Headers' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect.poll(() => marked(panel)).toEqual(['text/event-stream']);

  expect(await findViolations(panel.root)).toEqual([]);
  await field.press('ArrowDown');
  await expect(results).toBeFocused();
  await results.press('ArrowDown');
  await results.press('Enter');
  await expect(panel.details).toBeVisible();
  await results.press('Escape');
  await expect(pane).toHaveCount(0);
  await expect(panel.button('Search')).toBeFocused();
  expect(await marked(panel)).toEqual([]);
});

test('the id of an event leads to its line of the stream; new traffic is found as it comes', async ({
  panel,
  misbehaving,
}) => {
  walks('Search while traffic comes');
  await panel.connectAndWait(misbehaving.url('sse-odd-fields'));
  await panel.button('Search').click();
  const { field, said, matches, results } = parts(panel);
  await field.fill('later-needle');
  await expect(said).toHaveText('Nothing found');
  await panel.send('tools/call', { name: 'later-needle', arguments: {} });
  await expect(said).toHaveText(/^[1-9]/);

  await field.fill('between');
  await matches.filter({ hasText: 'Comment' }).first().click();
  await expect(panel.streamEvents).toBeVisible();
  const selected = panel.streamEvents.getByRole('button', { pressed: true });
  await expect(selected).toHaveCount(1);
  await expect(results).toBeVisible();
});

test('an expression that never ends blocks nothing, and is said to be too slow', async ({
  panel,
  misbehaving,
}) => {
  walks('Search by an expression that never ends');
  await panel.connectAndWait(misbehaving.url('ok'));
  await panel.send('tools/call', { name: `${'a'.repeat(60)}!`, arguments: {} });
  await panel.button('Search').click();
  const { pane, field, said, matches } = parts(panel);
  await pane.getByRole('button', { name: 'Regular expression' }).click();
  await field.fill('(a+)+"');
  const gap = /The expression takes too long in Request of tools\/call, which was left out/;
  await expect(pane).toContainText(gap, { timeout: 20_000 });
  // All else was searched.
  await expect(said).toHaveText(/match|Nothing found/);

  await field.fill('tools/(call|list)');
  await expect(matches.filter({ hasText: 'tools/call' }).first()).toBeVisible();
  await field.fill('(');
  await expect(pane.getByRole('alert')).toContainText('Not a regular expression');
});

test('no secret is found, not even by an expression for anything', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Search all traffic', 'Keep secrets off the disk');
  const panel = await wirescope.openPanelTab();
  await panel.typeHeaders([{ name: 'X-Api-Key', value: 'hunter2-hunter2', secret: true }]);
  await panel.connectAndWait(misbehaving.url('echo-headers'));
  await panel.send('tools/list');
  await expect(panel.requests('tools/list')).toContainText('200');
  await panel.button('Search').click();
  const { pane, field, said, matches } = parts(panel);
  await field.fill('hunter2');
  await expect(said).toHaveText('Nothing found');
  await pane.getByRole('button', { name: 'Regular expression' }).click();
  await field.fill('x-api-key.+');
  await expect(matches.first()).toBeVisible();
  const found = await pane.locator('mark').allInnerTexts();
  expect(found.length).toBeGreaterThan(0);
  expect(found.join('')).not.toContain('*');
});
