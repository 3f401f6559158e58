import { expect, test } from 'vitest';
import { tellCutOff } from '../../../../lib/connection/survival/cut-off.ts';
import type { WireFact } from '../../../../lib/capture/wire-event.ts';
import type { ConnectionSummary } from '../../../../lib/port/contract.ts';
import { newHome, startTestWorker } from '../../../support/connected.ts';
import { createScriptedDoor, INITIALIZE_RESULT } from '../../../support/scripted-door.ts';

function tell(checkpoint: string) {
  const facts: WireFact[] = [];
  const ended: ConnectionSummary[] = [];
  const recorder = { record: (fact: WireFact) => facts.push(fact) };
  tellCutOff(checkpoint, { recorder, now: () => 7, end: (summary) => ended.push(summary) });
  return { facts, ended };
}

test.each(['', 'no JSON', '{}', '[]'])('of %j there is nothing to tell', (checkpoint) => {
  expect(tell(checkpoint)).toEqual({ facts: [], ended: [] });
});

test('what was open is named by a row, and can be made again; no secret of its URL is in it', async () => {
  const home = newHome();
  const network = createScriptedDoor();
  const worker = await startTestWorker({ http: network.door }, home);
  const id = await worker.connect('http://127.0.0.1:3001/mcp?api_key=hunter&page=2', {
    openStream: false,
  });
  (await network.next('initialize')).result(INITIALIZE_RESULT);
  (await network.next('notifications/initialized')).answer(202);
  await worker.state(id, 'connected');
  await worker.recorder.flushed();
  expect(home.checkpoint).not.toContain('hunter');

  const { facts, ended } = tell(home.checkpoint ?? '');
  expect(facts).toEqual([
    { kind: 'gap', what: expect.stringContaining('was cut off'), why: expect.any(String) },
  ]);
  expect(ended).toMatchObject([
    {
      connectionId: id,
      url: 'http://127.0.0.1:3001/mcp?api_key=&page=2',
      state: 'failed',
      transport: 'streamable-http',
      since: 7,
      problem: { code: 'extension-replaced' },
    },
  ]);
  await worker[Symbol.asyncDispose]();
});
