import { readFile } from 'node:fs/promises';
import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';

const CONFIGURATION = JSON.stringify({
  mcpServers: {
    docs: { type: 'sse', url: 'https://docs.example/sse', headers: { 'X-Tenant': 'acme' } },
    files: { command: 'npx', args: ['server-filesystem'] },
  },
});

test('settings hold for new connections, for every page and for the next start of the panel', async ({
  panel,
}) => {
  walks('Change settings');
  const { root, page } = panel;
  const settings = root.getByRole('region', { name: 'Settings' });
  await panel.button('Settings').click();
  await settings.getByRole('radio', { name: 'Dark' }).check();
  await expect(root.locator('html')).toHaveAttribute('data-theme', 'dark');
  await settings.getByRole('textbox', { name: 'Idle timeout, seconds' }).fill('nought');
  await expect(settings.getByRole('button', { name: 'Use for new connections' })).toBeDisabled();
  await settings.getByRole('textbox', { name: 'Idle timeout, seconds' }).fill('7');
  await settings.getByRole('checkbox', { name: 'Open the GET stream' }).uncheck();
  await settings.getByRole('button', { name: 'Use for new connections' }).click();
  await expect(settings.getByRole('status')).toContainText('New connections begin with this.');
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();

  await page.reload();
  await expect(root.locator('html')).toHaveAttribute('data-theme', 'dark');
  await panel.options.click();
  const options = root.getByRole('region', { name: 'Options for the next connection' });
  await expect(options.getByRole('textbox', { name: 'Idle timeout, seconds' })).toHaveValue('7');
  await expect(options.getByRole('checkbox', { name: 'Open the GET stream' })).not.toBeChecked();

  await panel.button('Settings').click();
  await settings.getByRole('button', { name: 'Reset all settings' }).click();
  await expect(settings.getByRole('radio', { name: 'As DevTools' })).toBeChecked();
  await expect(root.locator('html')).not.toHaveAttribute('data-theme', 'dark');
  // The fields that are open begin anew too.
  await expect(options.getByRole('textbox', { name: 'Idle timeout, seconds' })).toHaveValue('60');
  await settings.getByRole('button', { name: 'Close' }).click();
  await panel.options.click();
});

test('servers are imported from another client, used, exported and forgotten', async ({
  panel,
}) => {
  walks('Take over servers of another client');
  const { root, page } = panel;
  const settings = root.getByRole('region', { name: 'Settings' });
  await panel.button('Settings').click();
  await settings.getByRole('button', { name: 'Paste a configuration' }).click();
  const field = settings.getByRole('textbox', { name: 'Configuration' });
  await field.fill('{ "mcpServers": ');
  await settings.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(settings.getByRole('alert')).toContainText('not JSON');
  await field.fill(CONFIGURATION);
  await settings.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(settings.getByRole('status')).toContainText('1 server imported, 1 passed over.');
  await expect(settings.getByRole('status')).toContainText(/files:.*stdio/);

  const download = page.waitForEvent('download');
  await settings.getByRole('button', { name: 'Export', exact: true }).click();
  const written = await readFile(await (await download).path(), 'utf8');
  expect(written).toContain('https://docs.example/sse');

  await settings.getByRole('button', { name: 'Use https://docs.example/sse' }).click();
  await expect(panel.url).toHaveValue('https://docs.example/sse');
  await expect(panel.options).toContainText('headers (1)');
  await panel.options.click();
  await expect(root.getByRole('combobox', { name: 'Transport' })).toHaveValue('http-sse');
  await panel.options.click();

  await panel.button('Settings').click();
  await settings.getByRole('button', { name: 'Forget https://docs.example/sse' }).click();
  await expect(settings.getByRole('status')).toContainText('is forgotten');
  const file = { name: 'servers.json', mimeType: 'application/json', buffer: Buffer.from(written) };
  await settings.getByLabel('Configuration to import').setInputFiles(file);
  await expect(
    settings.getByRole('button', { name: 'Use https://docs.example/sse' }),
  ).toBeVisible();
  await settings.getByRole('button', { name: 'Forget all' }).click();
  await expect(settings.getByRole('table')).toBeHidden();
  await settings.getByRole('button', { name: 'Close' }).click();
  await panel.url.fill('');
});
