import type { Page } from '@playwright/test';
import { walks } from '../journeys.ts';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';
import { RowMenu } from './row-menu.ts';

interface LegacyUi {
  InspectorView: { InspectorView: { instance(): { drawerVisible(): boolean } } };
}

/** Whether DevTools shows its drawer, which Escape opens where nobody keeps it from that. */
function isDrawerOpen(devtools: Page): Promise<boolean> {
  return devtools.evaluate(async () => {
    const module: string = './ui/legacy/legacy.js';
    const { InspectorView } = (await import(module)) as LegacyUi;
    return InspectorView.InspectorView.instance().drawerVisible();
  });
}

function palette(panel: PanelPage) {
  const options = panel.root.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  return {
    field: panel.root.getByRole('combobox', { name: 'Command', exact: true }),
    options,
    chosen: options.and(panel.root.getByRole('option', { selected: true })),
    /** Opens it, types, and takes what is chosen then. */
    async run(query: string, title: string | RegExp): Promise<void> {
      await expect(async () => {
        await panel.page.keyboard.press('ControlOrMeta+p');
        await expect(this.field).toBeFocused({ timeout: 1500 });
      }).toPass();
      await panel.page.keyboard.type(query);
      await expect(this.field).toHaveValue(query);
      await expect(this.chosen).toHaveText(title);
      await panel.page.keyboard.press('Enter');
      await expect(this.field).toHaveCount(0);
    },
  };
}

test('keys of the panel do what the sheet says', async ({ panel, misbehaving }) => {
  walks('Use the keys of the panel');
  const { keyboard } = panel.page;
  const { root } = panel;
  const selected = panel.traffic.getByRole('row', { selected: true });
  const filter = root.getByRole('combobox', { name: 'Filter' });
  await panel.connectAndWait(misbehaving.url('ok'));
  await expect(panel.rows('GET stream', 'open')).toHaveCount(1);
  await panel.requests('initialize').click();
  const at = async () => Number(await selected.getAttribute('aria-rowindex'));
  const first = await at();
  await keyboard.press('j');
  await expect.poll(at).toBe(first + 1);
  await keyboard.press('k');
  await expect.poll(at).toBe(first);

  const tab = root.getByRole('tab', { selected: true });
  for (const [key, name] of [
    ['2', 'Headers'],
    ['4', 'Timing'],
    ['1', 'Message'],
  ] as const) {
    await keyboard.press(key);
    await expect(tab).toHaveText(name);
  }
  await keyboard.press('q');
  await expect(panel.details).toHaveCount(0);
  await expect(panel.traffic).toBeFocused();

  for (const key of ['/', 'ControlOrMeta+Shift+f']) {
    await keyboard.press(key);
    await expect(filter).toBeFocused();
    // What is typed in a field is text, and no command.
    await keyboard.type('rjmq?1/');
    await expect(filter).toHaveValue('rjmq?1/');
    await filter.fill('');
    await panel.traffic.focus();
  }
  await expect(panel.dialog).toHaveCount(0);
  await expect(panel.requests('initialize')).toHaveCount(1);

  await keyboard.press('ControlOrMeta+e');
  await expect(root.getByRole('button', { name: /Pause view|Resume/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await keyboard.press('ControlOrMeta+e');
  await keyboard.press('ControlOrMeta+f');
  await expect(root.getByRole('searchbox', { name: 'Search all traffic' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(root.getByRole('region', { name: 'Search' })).toHaveCount(0);

  await panel.traffic.focus();
  await keyboard.press('ControlOrMeta+c');
  await expect(root.getByRole('status', { name: 'Done' })).toContainText('Copied the message');
  expect(await new RowMenu(panel).paste()).toContain('"method":"initialize"');
  await panel.traffic.focus();
  await keyboard.press('Control+l');
  await expect(panel.rows()).toHaveCount(0);
});

test('layers close one at a time, and DevTools opens no drawer', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Close what is open one at a time');
  // DevTools takes its time to open on a busy machine.
  test.setTimeout(90_000);
  const panel = await wirescope.openPanel('bottom');
  const { keyboard } = panel.page;
  await panel.connectAndWait(misbehaving.url('ok'));
  await panel.requests('initialize').click();
  // DevTools denies its panels the clipboard API.
  await panel.traffic.press('ControlOrMeta+c');
  await expect(panel.root.getByRole('status', { name: 'Done' })).toHaveText('Copied the message.');
  await panel.traffic.press('Enter');
  await expect(panel.details).toBeVisible();
  await palette(panel).run('report', /^Transport report/);
  const report = panel.root.getByRole('region', { name: 'Transport report' });
  await expect(report).toBeVisible();
  await keyboard.press('?');
  const sheet = panel.root.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toBeVisible();
  await keyboard.press('ControlOrMeta+p');
  await expect(palette(panel).field).toBeFocused();

  for (const layer of [palette(panel).field, sheet, report, panel.details]) {
    await expect(layer).toHaveCount(1);
    await keyboard.press('Escape');
    await expect(layer).toHaveCount(0);
  }
  await keyboard.press('Escape');
  expect(await isDrawerOpen(panel.page)).toBe(false);

  // Somewhere else it would be open by now.
  await panel.page.mouse.click(300, 8);
  await keyboard.press('Escape');
  await expect.poll(() => isDrawerOpen(panel.page)).toBe(true);
});

test('the palette finds what can be done, and remembers what was', async ({
  panel,
  misbehaving,
}) => {
  walks('Use the palette');
  const { keyboard } = panel.page;
  const commands = palette(panel);
  const { options } = commands;
  await panel.connectAndWait(misbehaving.url('ok'));

  await commands.run('capt', /^Captures/);
  await expect(panel.storage).toBeVisible();
  await commands.run('close the capt', /^Close the captures/);
  await expect(panel.storage).toHaveCount(0);
  await commands.run('connect to a', /^Connect to a server/);
  await expect(panel.url).toBeFocused();
  await commands.run('lab', /^Lab of misbehaving/);
  await expect(panel.root.getByRole('region', { name: 'Lab' })).toBeVisible();

  await panel.requests('initialize').click();
  await commands.run('copcu', /^Copy as cURL/);
  await expect(panel.root.getByRole('status', { name: 'Done' })).toContainText('Copied as cURL');
  await keyboard.press('ControlOrMeta+p');
  await expect(options.first()).toHaveText(/^Copy as cURL/);
  await expect(options.nth(1)).toHaveText(/^Lab of misbehaving/);
  await keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await keyboard.type('no such command');
  await expect(options).toHaveCount(0);
  await keyboard.press('Enter');
  await expect(commands.field).toBeVisible();
  await keyboard.press('Escape');

  await commands.run('disconnect', /^Disconnect misbehaving/);
  await expect(panel.connections).toContainText('closed');
});

test('letters typed before the palette is there are for it', async ({ wirescope }) => {
  walks('Use the palette');
  const panel = await wirescope.openPanelTab();
  await expect(panel.root.getByRole('status', { name: 'Done' })).toHaveCount(1);
  // Within one task, so that nothing can have been loaded between them.
  await panel.page.evaluate(() => {
    const isMac = navigator.platform.startsWith('Mac');
    const press = (key: string, held: KeyboardEventInit = {}) =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }),
      );
    press('p', isMac ? { metaKey: true } : { ctrlKey: true });
    press('r');
    press('?');
  });
  await expect(palette(panel).field).toHaveValue('r?');
  await expect(panel.dialog).toHaveCount(1);
  await expect(panel.root.getByRole('alert')).toHaveCount(0);
});

test('the sheet names all keys', async ({ panel }) => {
  walks('Look up the keys');
  await panel.button('Keys').click();
  const sheet = panel.root.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const title of ['Command palette', 'Filter the traffic', 'Clear', 'Replay', 'Show Timing']) {
    await expect(sheet.getByText(title, { exact: true })).toBeVisible();
  }
  await panel.button('Close the shortcuts').click();
  await expect(sheet).toHaveCount(0);
});

for (const [name, media] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced', { forcedColors: 'active' }],
] as const) {
  test(`axe finds nothing in menu, palette and sheet, in ${name} colours`, async ({
    panel,
    misbehaving,
  }) => {
    walks('Use menus and screens with assistive technology');
    const menu = new RowMenu(panel);
    const { page } = panel;
    await page.emulateMedia(media);
    await panel.connectAndWait(misbehaving.url('ok'));
    await menu.open(panel.requests('initialize'));
    await menu.entry('Sort by').click();
    await expect(menu.menus).toHaveCount(2);
    expect(await findViolations(panel.root), 'menu').toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+p');
    await page.keyboard.type('co');
    await expect(palette(panel).field).toHaveValue('co');
    expect(await findViolations(panel.root), 'palette').toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(panel.dialog).toBeVisible();
    expect(await findViolations(panel.root), 'sheet').toEqual([]);
    await page.keyboard.press('Escape');
  });
}
