import { walks } from '../journeys.ts';
import type { Script, ScriptedServer } from '../server/scripted.ts';
import { startScripted } from '../server/scripted.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

/** For what takes a machine that does much else at once. */
const GIVE_UP_MS = 30_000;

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC';

function answer(resultText: string): Script {
  const headers = { 'Content-Type': 'application/json' };
  const parts = resultText.match(/[^]{1,500000}/g) ?? [];
  return {
    'tools/call': { headers, body: ['{"jsonrpc":"2.0","id":$id,"result":', ...parts, '}'] },
  };
}

/** Calls a tool of a server and opens the row; resolves with the part of the details that is the response. */
async function openCall(panel: PanelPage, server: ScriptedServer) {
  await panel.connectAndWait(server.url());
  await panel.send('tools/call', { name: 'echo', arguments: {} });
  const row = panel.rows('tools/call', 'echo');
  await expect(row).toContainText('200');
  await row.click();
  await panel.traffic.press('Enter');
  return panel.root.getByRole('region', { name: 'Response', exact: true });
}

test('pictures are previewed from their own bytes, text stays text, and nothing is fetched', async ({
  panel,
}) => {
  walks('Preview pictures and texts');
  let origin = '';
  await using server = await startScripted({
    'tools/call': () => {
      const html = `<h1>Hello</h1>\n<img src="${origin}/probe.png">\n\u202E<script>alert(1)</script>`;
      const content = [
        { type: 'text', text: html },
        { type: 'image', mimeType: 'image/png', data: PNG },
        { type: 'image', mimeType: 'image/png', data: `${PNG.slice(0, 40)}!!${PNG.slice(42)}` },
        { type: 'image', mimeType: 'image/png', data: PNG.slice(0, 40) },
        { type: 'resource_link', uri: `${origin}/probe.png`, name: 'x', mimeType: 'image/png' },
      ];
      return {
        headers: { 'Content-Type': 'application/json' },
        body: [`{"jsonrpc":"2.0","id":$id,"result":{"content":${JSON.stringify(content)}}}`],
      };
    },
  });
  origin = server.origin;
  const response = await openCall(panel, server);
  const picture = response.getByRole('img', { name: '$.result.content[1].data' });
  await expect(picture).toBeVisible();
  await expect(response).toContainText('image/png, 78 B, 10 × 10');
  await expect(response).toContainText('not base64: “!” at character 41');
  await expect(response).toContainText('the browser cannot show it');
  await expect(response.getByRole('heading', { name: 'Hello' })).toHaveCount(0);
  // What is invisible and turns the direction of writing is shown as a mark.
  await expect(response.getByRole('tree')).toContainText('U+202E');

  await response
    .getByRole('treeitem')
    .filter({ hasText: '<h1>Hello' })
    .getByText('text', { exact: true })
    .click();
  const text = response.getByRole('region', { name: 'Text at $.result.content[0].text' });
  await expect(text).toContainText('<h1>Hello</h1>');
  await expect(text).toContainText(`<img src="${origin}/probe.png">`);
  await text.getByRole('button', { name: 'Close the text' }).click();
  await expect(text).toHaveCount(0);
  expect(server.of('GET').filter(({ target }) => target.includes('probe'))).toEqual([]);
});

test('values and their paths are copied from the keyboard, integers to the last digit', async ({
  panel,
}) => {
  walks('Copy values of a message');
  await using server = await startScripted(
    answer('{"content":[],"a b":[{"id":1915883588174806058,"s":"x\\ny"}]}'),
  );
  const response = await openCall(panel, server);
  await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => panel.page.evaluate(() => navigator.clipboard.readText());
  const tree = response.getByRole('tree');
  const selected = tree.getByRole('treeitem', { selected: true });
  const menu = panel.root.getByRole('menu', { name: 'Value' });

  await tree.getByRole('treeitem').filter({ hasText: '1915883588174806058' }).last().click();
  await tree.press('Control+c');
  await expect.poll(copied).toBe('1915883588174806058');
  for (const [entry, text] of [
    ['Copy JSONPath', `$.result['a b'][0].id`],
    ['Copy JSON Pointer', '/result/a b/0/id'],
  ] as const) {
    await selected.click({ button: 'right' });
    await menu.getByRole('menuitem', { name: entry }).press('Enter');
    await expect(menu).toHaveCount(0);
    await expect(tree).toBeFocused();
    await expect.poll(copied).toBe(text);
  }
  await tree.press('ArrowDown');
  await tree.press('ContextMenu');
  await expect(menu.getByRole('menuitem', { name: /^Copy value/ })).toBeFocused();
  await panel.page.keyboard.press('ArrowDown');
  await panel.page.keyboard.press('Enter');
  await expect.poll(copied).toBe('"x\\ny"');

  // To the left: to what it is in, and closed; to the right: open again, and into it.
  await tree.press('ArrowLeft');
  await expect(selected).toContainText('0');
  await tree.press('ArrowLeft');
  await expect(selected).toHaveAttribute('aria-expanded', 'false');
  await response.getByRole('button', { name: 'Collapse all of the response' }).click();
  await expect(tree.getByRole('treeitem')).toHaveCount(4);
  await response.getByRole('button', { name: 'Expand all of the response' }).click();
  await expect(tree.getByRole('treeitem').filter({ hasText: 'line' })).toHaveCount(0);
  await expect(tree.getByRole('treeitem')).toHaveCount(9);
});

test('a body of 12 MB opens as a tree and raw without more than the rows in sight, and the view stays', async ({
  panel,
}) => {
  walks('Read a body of many megabytes');
  const items = Array.from({ length: 120_000 }, (_, index) => ({
    name: `item number ${index}`,
    note: 'x'.repeat(60),
  }));
  await using server = await startScripted(answer(JSON.stringify({ content: [], items })));
  const response = await openCall(panel, server);
  const tree = response.getByRole('tree');
  const group = tree.getByRole('treeitem').filter({ hasText: '119,000 … 119,999' });
  await expect(tree).toHaveAttribute('aria-busy', 'false', { timeout: GIVE_UP_MS });
  await tree.press('End');
  await expect(group).toHaveAttribute('aria-selected', 'true');
  await tree.press('ArrowRight');
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await tree.press('End');
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('item number 119999');

  await response.getByRole('button', { name: 'Raw' }).click();
  const raw = response.getByRole('group', { name: 'Response, raw' });
  await expect(raw).toContainText('{"jsonrpc":"2.0"');
  await expect(async () => {
    await raw.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(raw).toContainText('item number 119999', { timeout: 500 });
  }).toPass();
  const nodes = await panel.page.evaluate(() => document.querySelectorAll('*').length);
  expect(nodes).toBeLessThan(1500);

  await panel.rows('initialize', '200').last().click();
  await expect(response.getByRole('group', { name: 'Response, raw' })).toContainText('serverInfo');
  await response.getByRole('button', { name: 'Tree' }).click();
  await expect(tree).toContainText('serverInfo');
});
