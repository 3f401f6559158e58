import { walks } from '../journeys.ts';
import { startKeepingServer, type KeepingServer } from '../server/keeping-server.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const test = base.extend<{ keeping: KeepingServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  keeping: async ({}, use) => {
    await using server = await startKeepingServer('s-1234567890');
    await use(server);
  },
});

/** The options of the next connection. */
function optionsOf({ root }: PanelPage) {
  const area = root.getByRole('region', { name: 'Options for the next connection' });
  return {
    area,
    field: (name: string) => area.getByLabel(name, { exact: true }),
    choice: (name: string) => area.getByRole('combobox', { name, exact: true }),
  };
}

const sentBy = (server: KeepingServer, what: string) =>
  server.seen.filter(({ body, method }) => method === what || body.includes(what));

test('what is chosen about a client and its link is what the server sees', async ({
  panel,
  keeping,
}) => {
  walks('Set the options of a connection');
  await panel.options.click();
  const { area, field, choice } = optionsOf(panel);
  await choice('Client to play').selectOption('Kotlin SDK 0.14');
  await expect(field('Headers left out')).toHaveValue('MCP-Protocol-Version');
  await expect(area).toContainText('order and the case of headers');
  await field('Name of the client').fill('mine');
  await expect(choice('Client to play')).toHaveValue('own');
  await field('Version of the client').fill('9.9');
  await field('Capabilities (JSON)').fill('{"roots":');
  await expect(area).toContainText('Not JSON at 1:');
  await field('Capabilities (JSON)').fill('{"roots":{}}');
  await field('Accept, of every request').fill('application/json, text/event-stream, text/plain');
  await field('Leave the session behind, without DELETE').check();
  await field('GET stream only in a session').check();
  await choice('Revision to offer').selectOption('2025-03-26');
  await field('This value').check();
  await field('Origin header').fill('https://page.example');
  for (const [name, wrong, words, right] of [
    ['First delay, seconds', '-1', 'The first delay must be', '0.1'],
    ['Longest delay, seconds', '0', 'must not be shorter', '5'],
    ['Factor', '0', 'The factor must be 1 or more.', '2'],
    ['Retries, 0 for none', 'x', 'must be a whole number', '0'],
    ['Idle timeout, seconds', '0', 'The idle timeout must be', '30'],
    ['Size limit of one message, MiB', '0', 'The size limit must be', '8'],
  ] as const) {
    await field(name).fill(wrong);
    await expect(area).toContainText(words);
    await field(name).fill(right);
    await expect(area).not.toContainText(words);
  }
  await field('Start a new session when the server forgets it').uncheck();
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await panel.connectAndWait(keeping.url);

  const [hello] = sentBy(keeping, '"initialize"');
  expect(JSON.parse(hello!.body.toString())).toMatchObject({
    params: {
      clientInfo: { name: 'mine', version: '9.9' },
      capabilities: { roots: {} },
      protocolVersion: '2025-03-26',
    },
  });
  const headers = new Map(hello!.headers.map(([name, value]) => [name.toLowerCase(), value]));
  expect(headers.get('accept')).toBe('application/json, text/event-stream, text/plain');
  expect(headers.get('origin')).toBe('https://page.example');
  await expect.poll(() => sentBy(keeping, 'GET').length).toBe(1);
  const [stream] = sentBy(keeping, 'GET');
  const names = stream!.headers.map(([name]) => name.toLowerCase());
  expect(names).not.toContain('mcp-protocol-version');
  expect(names).toContain('mcp-session-id');
  await panel.button('Disconnect').click();
  await panel.button('Dismiss').click();
  expect(sentBy(keeping, 'DELETE')).toEqual([]);
});

test('a connection goes on in a session that is known, without a handshake and without its stream', async ({
  panel,
  keeping,
}) => {
  walks('Set the options of a connection');
  await panel.options.click();
  const { field, choice } = optionsOf(panel);
  await choice('Transport').selectOption('Streamable HTTP, legacy');
  await field('Session id').fill('s-known-1');
  await choice('Revision of the session').selectOption('2025-06-18');
  await field('Open the GET stream').uncheck();
  await panel.connectAndWait(keeping.url);
  expect(sentBy(keeping, '"initialize"')).toEqual([]);
  const [ping] = sentBy(keeping, '"ping"');
  const headers = new Map(ping!.headers.map(([name, value]) => [name.toLowerCase(), value]));
  expect(headers.get('mcp-session-id')).toBe('s-known-1');
  expect(headers.get('mcp-protocol-version')).toBe('2025-06-18');
  await panel.button('Disconnect').click();
  await expect.poll(() => sentBy(keeping, 'DELETE').length).toBe(1);
  expect(sentBy(keeping, 'GET')).toEqual([]);
});
