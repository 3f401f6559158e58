import { test, expect } from 'vitest';
import { startTestWorker } from '../support/connected.ts';
test('connects', async () => {
  await using worker = await startTestWorker();
  const id = await worker.connect('http://127.0.0.1:4701/mcp');
  const s = await worker.state(id, 'connected', 'failed');
  console.log(s);
  await worker.manager.functions.send(id, 'tools/list', undefined);
  await worker.manager.functions.send(id, 'tools/call', '{"name":"trigger-long-running-operation","arguments":{"duration":1,"steps":4},"_meta":{"progressToken":7}}');
  await worker.until(() => worker.correlation.items.filter((i) => i.kind === 'request' && i.method === 'tools/call' && i.outcome !== 'pending').length === 1);
  await worker.manager.functions.disconnect(id, true);
  await worker.recorder.flushed();
  for (const i of worker.correlation.items) console.log(i.kind, (i as any).direction ?? '', (i as any).method ?? (i as any).title ?? '', (i as any).outcome ?? (i as any).detail ?? '', (i as any).summary ?? '', (i as any).parent ?? '', i.problem?.message ?? '');
  expect(s.state).toBe('connected');
});
