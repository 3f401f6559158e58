import type { Chapter } from './chapter.ts';

const FORM = '[aria-label="Work with the server"]';
const ASKED = '[aria-label="Server asks"]';

/** One's own requests, replays, questions of a server, tasks and subscriptions. */
export const work: Chapter = {
  name: 'work',
  page: 'panel.html',
  scenes: [
    {
      name: 'composer',
      async prepare({ hand, stage }) {
        await hand.connect(stage.everything);
        await hand.send('tools/list', {});
        await hand.send('tools/call', { name: 'echo', arguments: { message: 'Hello' } });
        await hand.see('[role=treegrid]', 'tools/call echo');
        await hand.fill(
          'Params (JSON)',
          '{\n  "nam": "get-sum",\n  "arguments": { "a": 2 }\n}',
          FORM,
        );
      },
    },
    {
      name: 'composer-raw',
      show: ({ hand }) => hand.press('Raw text', FORM),
      leave: ({ hand }) => hand.press('Request', `${FORM} [role=tablist]`),
    },
    {
      name: 'composer-http',
      show: ({ hand }) => hand.press('Raw HTTP', FORM),
      leave: ({ hand }) => hand.press('Request', `${FORM} [role=tablist]`),
    },
    {
      name: 'replay-edit',
      async prepare({ hand }) {
        await hand.select(['tools/call', 'echo'], true);
        await hand.press('Edit and replay', '[role=menu]');
        await hand.fill(
          'Params (JSON)',
          '{"name":"echo","arguments":{"message":"Hello again"}}',
          FORM,
        );
        await hand.press('Send', FORM);
        await hand.press('Compare with its origin');
        await hand.see('[aria-label="Origin and replay"]', '200');
      },
    },
    {
      name: 'replay-many',
      async prepare({ hand }) {
        await hand.press('Replay many', `${FORM} [role=tablist]`);
        await hand.press('Replay all', FORM);
        await hand.see(FORM, 'All were sent.');
      },
    },
    {
      name: 'compare-connections',
      async prepare({ hand, stage }) {
        await hand.connect(stage.everything);
        await hand.press('Compare connections', `${FORM} [role=tablist]`);
        await hand.press('Compare', FORM);
      },
    },
    {
      name: 'subscriptions',
      async prepare({ hand }) {
        await hand.press('Subscriptions', `${FORM} [role=tablist]`);
        await hand.fill('Resources, one URI a line', 'demo://resource/dynamic/text/1', FORM);
        await hand.press('Subscribe', FORM);
        await hand.see(FORM, 'subscribed');
      },
    },
    {
      name: 'tasks',
      async prepare({ hand }) {
        await hand.press('Request', `${FORM} [role=tablist]`);
        await hand.press('Send as something new', FORM);
        await hand.press('Allow a task', FORM);
        await hand.send('tools/call', {
          name: 'simulate-research-query',
          arguments: { topic: 'python', ambiguous: true },
        });
        await hand.press('Tasks', `${FORM} [role=tablist]`);
        await hand.see(FORM, 'input required');
      },
    },
    {
      name: 'replay-dialog',
      async show({ hand }) {
        await hand.select(['tools/call', 'simulate-research-query']);
        await hand.press('Replay');
        await hand.see('dialog', 'again?');
      },
      async leave({ hand }) {
        await hand.press('Cancel', 'dialog');
        await hand.press('Close details');
      },
    },
    {
      name: 'question',
      async prepare({ hand }) {
        await hand.press('Request', `${FORM} [role=tablist]`);
        await hand.press('Allow a task', FORM);
        await hand.send('tools/call', { name: 'trigger-elicitation-request', arguments: {} });
        await hand.see(ASKED, 'Accept');
        await hand.press('Close', FORM);
      },
    },
    {
      name: 'question-sampling',
      async prepare({ hand }) {
        await hand.press('Decline', ASKED);
        await hand.send('tools/call', {
          name: 'trigger-sampling-request',
          arguments: { prompt: 'Say hello', maxTokens: 50 },
        });
        await hand.see(ASKED, 'Send reply');
        await hand.press('Close', FORM);
      },
    },
    {
      name: 'rounds',
      async prepare({ hand, stage }) {
        await hand.press('Reject', ASKED);
        for (let count = 0; count < 2; count += 1) {
          await hand.press('Disconnect');
          await hand.press('Dismiss');
        }
        await hand.connect(stage.misbehaving.url('modern'));
        await hand.send('tools/call', { name: 'ask', arguments: { rounds: 2 } });
        await hand.see(ASKED, 'Name number 1?');
        await hand.press('Accept', ASKED);
        await hand.see(ASKED, 'Name number 2?');
        await hand.press('Close', FORM);
      },
      async show({ hand }) {
        await hand.select(['round 2']);
        await hand.press('Message', '[role=tablist][aria-label=Details]');
      },
      leave: ({ hand }) => hand.press('Close details'),
    },
  ],
};
