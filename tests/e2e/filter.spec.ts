import { walks } from '../journeys.ts';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const LONG_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 0.5, steps: 4 },
  _meta: { progressToken: 'a' },
};

function filterOf(panel: PanelPage) {
  return {
    field: panel.root.getByRole('combobox', { name: 'Filter' }),
    options: panel.root.getByRole('listbox', { name: 'Ways to go on' }).getByRole('option'),
    shown: panel.root.getByRole('status', { name: 'Rows shown' }),
    chip: (name: string) =>
      panel.root
        .getByRole('toolbar', { name: 'Types of rows' })
        .getByRole('button', { name, exact: true }),
  };
}

/** A connection with a call that told of its progress, one that was answered, and one that was refused. */
async function fill(panel: PanelPage, url: string): Promise<void> {
  await panel.connectAndWait(url);
  await panel.send('tools/call', LONG_CALL);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'hello' } });
  await panel.send('no/such/method');
  await expect(panel.rows('notifications/progress')).toHaveCount(4);
  await expect(panel.rows('no/such/method')).toContainText('error');
  await expect(panel.rows('tools/call', 'echo')).toContainText('200');
  await expect(panel.rows('tools/call', LONG_CALL.name)).toContainText('200');
  await panel.button('Send a request').click();
}

test('a filter is written with completion from what was seen, and cleared again', async ({
  panel,
  everything,
}) => {
  walks('Filter the table');
  await fill(panel, everything.url);
  const { field, options, shown } = filterOf(panel);
  await field.click();
  await field.pressSequentially('too');
  await expect(options).toHaveText([/^tool:/]);
  await field.press('Tab');
  await expect(field).toHaveValue('tool:');
  // What was seen is of the whole capture: other tests may have been at work in it.
  await expect(options.filter({ hasText: /^echo\d+$/ })).toHaveCount(1);
  await expect(options.filter({ hasText: /^trigger-long-running-operation\d+$/ })).toHaveCount(1);
  await field.pressSequentially('ec');
  await expect(options).toHaveText([/^echo\d+$/]);
  await field.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveAttribute(
    'aria-activedescendant',
    (await options.first().getAttribute('id')) ?? '',
  );
  await field.press('Enter');
  await expect(field).toHaveValue('tool:echo ');
  await expect(panel.rows()).toHaveCount(1);
  await expect(panel.rows('tools/call', 'echo')).toHaveCount(1);
  await expect(shown).toContainText(/^1 of \d+ shown/);
  await expect(panel.capture).toContainText(/^1 of \d+ · /);

  // Escape closes the list first, and then clears the text; the panel keeps the key for itself.
  await field.pressSequentially('is');
  await expect(options).not.toHaveCount(0);
  await field.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(field).toHaveValue('tool:echo is');
  await field.press('Escape');
  await expect(field).toHaveValue('');
  await expect(shown).toHaveCount(0);
  await expect(panel.rows('no/such/method')).toHaveCount(1);

  await field.fill('is:error');
  await expect(panel.rows()).toHaveCount(1);
  await panel.root.getByRole('checkbox', { name: 'Invert' }).check();
  await expect(panel.rows('no/such/method')).toHaveCount(0);
  await expect(panel.rows('notifications/progress')).toHaveCount(4);
  await panel.button('clear filter').click();
  await expect(field).toHaveValue('');
  await expect(panel.root.getByRole('checkbox', { name: 'Invert' })).not.toBeChecked();
  await expect(panel.rows('no/such/method')).toHaveCount(1);
});

test('what is wrong with a filter is said, and the rest of it holds', async ({
  panel,
  everything,
}) => {
  walks('Correct a filter');
  await fill(panel, everything.url);
  const { field } = filterOf(panel);
  await field.fill('metod:x echo');
  await expect(panel.root.getByText('Did you mean method:')).toBeVisible();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(panel.rows()).toHaveCount(1);
  await field.fill('/(/ echo');
  await expect(panel.root.getByText('Invalid regular expression')).toBeVisible();
  await expect(panel.rows()).toHaveCount(1);
  await field.fill('nothing-like-this');
  const none = panel.root.getByRole('region', { name: 'No matches' });
  await expect(none).toContainText('by the filter nothing-like-this');
  await none.getByRole('button', { name: 'Clear filter' }).click();
  await expect(panel.rows('tools/call', 'echo')).toHaveCount(1);
});

test('chips choose types of rows, several with Ctrl, and by keyboard', async ({
  panel,
  everything,
}) => {
  walks('Choose types of rows');
  await fill(panel, everything.url);
  const { chip } = filterOf(panel);
  await chip('Notifications').click();
  await expect(chip('Notifications')).toHaveAttribute('aria-pressed', 'true');
  await expect(chip('All')).toHaveAttribute('aria-pressed', 'false');
  await expect(panel.rows('notifications/progress')).toHaveCount(4);
  await expect(panel.rows('tools/call')).toHaveCount(0);
  await chip('Requests').click({ modifiers: ['ControlOrMeta'] });
  await expect(panel.rows('tools/call')).toHaveCount(2);
  await expect(panel.rows('notifications/progress')).toHaveCount(4);
  await expect(panel.rows('Connected to')).toHaveCount(0);
  await chip('Lifecycle').click();
  await expect(panel.rows('Connected to')).toHaveCount(1);
  await expect(panel.rows('tools/call')).toHaveCount(0);
  await chip('Lifecycle').press('Home');
  await expect(chip('All')).toBeFocused();
  await chip('All').press('Enter');
  await chip('All').press('ArrowRight');
  await chip('Requests').press('Control+Enter');
  await expect(panel.rows('tools/call')).toHaveCount(2);
  await expect(panel.rows('Connected to')).toHaveCount(0);
});

test('a paused view stands still and says how much waits; Clear hides and can be taken back', async ({
  panel,
  everything,
}) => {
  walks('Pause and clear the view');
  await fill(panel, everything.url);
  await panel.button('Pause view').click();
  await expect(panel.button('Pause view')).toHaveAttribute('aria-pressed', 'true');
  await panel.send('tools/list');
  const waiting = panel.root.getByRole('status', { name: 'Paused view' });
  await expect(waiting).toHaveText(/^[1-9]\d* rows? waits?$/);
  await expect(panel.rows('tools/list')).toHaveCount(0);
  await panel.button('Pause view').click();
  await expect(waiting).toHaveCount(0);
  await expect(panel.rows('tools/list')).toHaveCount(1);

  await panel.button('Clear').click();
  await expect(panel.rows()).toHaveCount(0);
  await panel.root.getByRole('button', { name: 'Show them again' }).click();
  await expect(panel.rows('tools/list')).toHaveCount(1);
});

test('the filter outlives a reload of the panel, works at 400 px, and axe finds nothing', async ({
  panel,
  everything,
}) => {
  walks('Find the filter again after a reload', 'Work in a narrow panel');
  await fill(panel, everything.url);
  const { field, options, chip } = filterOf(panel);
  await field.fill('kind:notification -progress');
  await chip('Notifications').click();
  await panel.page.reload();
  await expect(field).toHaveValue('kind:notification -progress');
  await expect(chip('Notifications')).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.rows('notifications/initialized')).not.toHaveCount(0);
  await expect(panel.rows('notifications/progress')).toHaveCount(0);

  await panel.page.setViewportSize({ width: 400, height: 600 });
  await field.fill('is:');
  await expect(options).not.toHaveCount(0);
  expect(await findViolations(panel.root)).toEqual([]);
  for (const part of [field, options.first(), panel.button('clear filter')]) {
    const box = await part.boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 400).toBe(true);
  }
  expect(await panel.root.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  await field.press('Escape');
  await panel.button('clear filter').click();
  await expect(field).toHaveValue('');
});
