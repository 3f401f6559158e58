import type { Locator } from '@playwright/test';
import { walks } from '../journeys.ts';
import { TASK_PACE_MS } from '../server/tiny-modern-tasks.ts';
import { startTinyModern, type TinyModern } from '../server/tiny-modern.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';
import { ServerPage } from './server-page.ts';

let server: TinyModern;

test.beforeAll(async () => {
  server = await startTinyModern();
});

test.afterAll(() => server[Symbol.asyncDispose]());

/** The tasks of the panel, which are followed while they are shown. */
function tasksOf({ root }: PanelPage) {
  const pane = root.getByRole('region', { name: 'Work with the server' });
  return {
    pane,
    lines: pane.getByRole('list', { name: 'Tasks' }).getByRole('listitem'),
    tab: (name: string) => pane.getByRole('tab', { name, exact: true }),
    button: (name: string | RegExp) => pane.getByRole('button', { name, exact: true }),
  };
}

/** Calls a tool that may become a task, and shows the tasks. */
async function callAsTask(panel: PanelPage, name: string, given: object): Promise<Locator> {
  const work = tasksOf(panel);
  if (await work.pane.isVisible()) await work.tab('Request').click();
  else await panel.button('Send a request').click();
  await work.pane.getByLabel('Method', { exact: true }).fill('tools/call');
  await work.pane.getByLabel('Allow a task').check();
  await panel.send('tools/call', { name, arguments: given });
  await work.tab('Tasks').click();
  return work.lines.filter({ hasText: name }).first();
}

/** When a method was called, in the order of the server, in milliseconds. */
function timesOf(method: string, taskId: string): number[] {
  return server.requests
    .filter(({ body }) => body.includes(`"${method}"`) && body.includes(`"${taskId}"`))
    .map(({ time }) => time);
}

test('a task is asked about at the pace of its server, asks, is answered, and brings its result', async ({
  panel,
}) => {
  walks('Follow and cancel a task');
  await panel.connectAndWait(server.url);
  const task = await callAsTask(panel, 'research', { topic: 'tides', asks: true });
  const work = tasksOf(panel);
  await expect(task).toContainText(/working on tides/);
  const questions = panel.root.getByRole('region', { name: 'Server asks' });
  await expect(questions).toContainText('Who reads about tides?');
  await expect(task).toContainText('input required');
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await questions.getByRole('textbox', { name: 'Reader' }).fill('Ada');
  await questions.getByRole('button', { name: 'Accept' }).click();
  await expect(questions).toHaveCount(0);
  await expect(task).toContainText('completed');
  await task.getByRole('button', { name: 'Show the result' }).click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText('Report on tides, for \\"Ada\\"');

  // Every step of it is a row under the call.
  for (const method of ['tasks/get', 'tasks/update']) {
    await expect(panel.requests(method).first()).toContainText('200');
  }
  const times = timesOf('tasks/get', 'task-1');
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  expect(times.length).toBeGreaterThan(3);
  // Timers are not exact.
  for (const pause of pauses) expect(pause).toBeGreaterThan(TASK_PACE_MS * 0.9);
  expect(timesOf('tasks/update', 'task-1')).toHaveLength(1);
  await expect(work.button('Cancel research')).toHaveCount(0);
});

test('a task is no longer followed when nobody wants to, asked about by hand, and cancelled', async ({
  panel,
}) => {
  walks('Follow and cancel a task');
  await panel.connectAndWait(server.url);
  const work = tasksOf(panel);
  await panel.button('Send a request').click();
  await work.tab('Tasks').click();
  await work.pane.getByLabel('Follow open tasks').uncheck();
  const task = await callAsTask(panel, 'research', { topic: 'rain', polls: 1000 });
  await expect(task).toContainText('working');
  await task.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(panel.details).toContainText('tools/call');
  await expect(panel.requests('tasks/get')).toHaveCount(0);
  await task.getByRole('button', { name: 'Ask now' }).click();
  await expect(panel.requests('tasks/get')).toHaveCount(1);
  await task.getByRole('button', { name: 'Cancel research' }).click();
  await expect(panel.requests('tasks/cancel')).toContainText('200');
  await task.getByRole('button', { name: 'Ask now' }).click();
  await expect(task).toContainText('cancelled');
  await expect(task.getByRole('button', { name: 'Ask now' })).toHaveCount(0);
});

test('a task of 2025-11-25 is cancelled, and stays so', async ({ panel, everything }) => {
  walks('Follow and cancel a task');
  await panel.connectAndWait(everything.url);
  const given = { topic: 'python', ambiguous: false };
  const task = await callAsTask(panel, 'simulate-research-query', given);
  await expect(task).toContainText('working');
  await task.getByRole('button', { name: 'Cancel simulate-research-query' }).click();
  await expect(task).toContainText('cancelled');
  await expect(panel.requests('tasks/cancel')).toContainText('200');
  await expect(task.getByRole('button', { name: 'Get the result' })).toBeVisible();
});

test('a tool is called from the server screen as a task, as its server wants it, and followed', async ({
  panel,
  everything,
}) => {
  walks('Follow and cancel a task');
  const screen = new ServerPage(panel);
  await panel.connectAndWait(everything.url);
  await screen.open();
  await screen.tab('Tools').click();
  await screen.choose('simulate-research-query');
  // It runs in no other way.
  await expect(screen.field('Allow a task')).toBeChecked();
  await screen.field('topic (required)').fill('python');
  await screen.button('Call').click();
  await expect(screen.runs).toContainText('The server has made a task of it');
  await screen.runs.getByRole('button', { name: 'Follow it under Tasks' }).click();
  const line = tasksOf(panel).lines.filter({ hasText: 'simulate-research-query' }).first();
  await expect(line).toContainText('completed', { timeout: 15_000 });

  await panel.connect(server.url);
  await expect(panel.connections.getByRole('listitem')).toHaveCount(2);
  await expect(panel.connections).toContainText('modern 2026-07-28');
  await screen.open();
  await screen.tab('Tools').click();
  await screen.button('Load all').click();
  await screen.choose('research');
  await screen.field('Allow a task').check();
  await screen.button('Call').click();
  await expect(screen.runs).toContainText(/task-\d+, working/);
});
