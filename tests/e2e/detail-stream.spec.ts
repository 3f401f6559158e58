import { walks } from '../journeys.ts';
import { startScripted } from '../server/scripted.ts';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** For what takes a machine that does much else at once. */
const GIVE_UP_MS = 30_000;

function progress(from: number, to: number): string {
  let text = '';
  for (let count = from; count <= to; count += 1) {
    text += `id: e${count}\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":${count}}}\n\n`;
  }
  return text;
}

const CALL = { name: 'echo', arguments: {}, _meta: { progressToken: 'a' } };
const RESULT = 'data: {"jsonrpc":"2.0","id":$id,"result":{"content":[]}}\n\n';

test('a stream is followed at its end only, filtered, and each event shows its message and bytes', async ({
  panel,
}) => {
  walks('Follow a stream');
  await using server = await startScripted({
    'tools/call': {
      headers: { 'Content-Type': 'text/event-stream' },
      body: [
        `retry: 3000\n\n: hello\n\n${progress(1, 300)}`,
        { wait: 'more' },
        progress(301, 6000),
        { wait: 'end' },
        RESULT,
      ],
    },
  });
  await panel.connectAndWait(server.url());
  await panel.send('tools/call', CALL);
  // Whoever goes to the first row before they have come is taken along to the end with them.
  await expect(panel.capture).toContainText(/\b3\d\d rows/);
  // Above all its notifications.
  const call = panel.requests('tools/call');
  await panel.traffic.press('Home');
  await call.click();
  await panel.traffic.press('Enter');
  await panel.showTab('Stream');
  const events = panel.streamEvents;
  const at = (number: number) => panel.button(`Bytes of ${number}`);
  await expect(at(302)).toBeInViewport();
  await expect(events.getByRole('row').filter({ hasText: '(retry)' })).toHaveCount(0);

  server.open('more');
  await expect(at(6002)).toBeInViewport({ timeout: GIVE_UP_MS });
  await events.evaluate((element) => element.scrollTo(0, 0));
  await expect(at(1)).toBeInViewport();
  server.open('end');
  await expect(call).not.toContainText('…');
  await expect(events).toHaveAttribute('aria-rowcount', '6004');
  await expect(at(1)).toBeInViewport();
  await expect(events.getByRole('row').nth(1)).toContainText('3000 ms');

  const filter = panel.root.getByRole('searchbox', { name: 'Filter stream events' });
  await filter.fill('/progress":\\d999}/ -e1999');
  await expect(events).toHaveAttribute('aria-rowcount', '5');
  await expect(panel.details).toContainText('4 of 6,003');
  await at(3001).click();
  const message = panel.details.getByRole('region', { name: 'Message' });
  await expect(message.getByRole('tree')).toContainText('2999');
  await expect(panel.root.getByRole('region', { name: 'Bytes of 3001' })).toContainText(
    'id: e2999',
  );
  await at(3001).press('ArrowDown');
  await expect(at(4001)).toBeFocused();
  await expect(message.getByRole('tree')).toContainText('3999');
  await filter.press('Escape');
  await expect(events).toHaveAttribute('aria-rowcount', '6004');
  await expect(at(4001)).toBeInViewport();
});

test('timing grows while a call is pending, and names its pauses and deadlines in the end', async ({
  panel,
}) => {
  walks('Read the timing of a call');
  await using server = await startScripted({
    'tools/call': {
      headers: { 'Content-Type': 'text/event-stream' },
      body: [progress(1, 2), { wait: 'end' }, RESULT],
    },
  });
  await panel.connectAndWait(server.url());
  await panel.send('tools/call', CALL);
  await panel.requests('tools/call').click();
  await panel.traffic.press('Enter');
  await panel.showTab('Timing');
  const phases = panel.details.getByRole('region', { name: 'Phases' });
  const pauses = panel.details.getByRole('region', { name: 'Longest pauses' });
  const deadlines = panel.details.getByRole('region', { name: 'Deadlines' });
  await expect(phases).toContainText('So far');
  await expect(deadlines).toContainText('left');
  await expect(deadlines).toContainText('extended 2 times');
  const soFar = await phases.innerText();
  await expect(phases).not.toHaveText(soFar, { useInnerText: true });
  await expect(pauses).toContainText(/After event 2\s*\d.* s…/);

  server.open('end');
  await expect(phases).toContainText('Total');
  await expect(pauses).toContainText('Between event 2 and 3');
  await expect(pauses).not.toContainText('…');
  await expect(deadlines).toContainText('met');
  await expect(panel.details.getByRole('region', { name: 'Moments' })).toContainText(
    'Stream event 3',
  );
  expect(await findViolations(panel.root)).toEqual([]);
  await panel.showTab('Stream');
  await panel.button('Bytes of 1').click();
  await expect(panel.details.getByRole('region', { name: 'Message' })).toBeVisible();
  expect(await findViolations(panel.root)).toEqual([]);
});

test('a refused credential shows its challenges and what it was; headers that contradict the body are marked', async ({
  panel,
}) => {
  walks('Read challenges and contradicting headers');
  await using server = await startScripted({
    'prompts/get': {
      status: 401,
      headers: {
        'WWW-Authenticate': [
          'Bearer realm="a, b", error="invalid_token", resource_metadata="https://example.com/meta"',
          'Basic realm="c"',
        ],
        'Content-Type': 'text/plain',
      },
      body: ['no'],
    },
  });
  await panel.typeHeaders([
    { name: 'Authorization', value: 'Bearer not-a-real-token-1', secret: true },
    { name: 'Mcp-Method', value: 'prompts/list' },
  ]);
  await panel.connectAndWait(server.url());
  await panel.send('prompts/get', { name: 'x' });
  const call = panel.rows('prompts/get');
  await expect(call).toContainText('401');
  await call.click();
  await panel.traffic.press('Enter');
  await panel.showTab('Auth');
  await expect(panel.details).toContainText(/401\s*Bearer ‹[0-9a-f]{4}›/);
  await expect(panel.details.getByRole('region', { name: 'Challenge 1' })).toContainText('a, b');
  await expect(panel.details.getByRole('region', { name: 'Challenge 2' })).toContainText('Basic');
  await expect(panel.details).toContainText('https://example.com/meta');
  await expect(panel.details).not.toContainText('not-a-real-token-1');
  expect(await findViolations(panel.root)).toEqual([]);

  await panel.showTab('Headers');
  const facts = panel.details.getByRole('region', { name: 'MCP headers' });
  await expect(facts).toContainText('1 does not match the body');
  await expect(facts).toContainText('the body has “prompts/get”');
  await panel.rows('initialize', '200').last().click();
  await expect(panel.details.getByRole('tab', { name: 'Auth' })).toHaveCount(0);
});
