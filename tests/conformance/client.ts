import type { RequestItem } from '../../lib/capture/items.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';

/**
 * The client that the official suite drives: it starts this file once per scenario, with the URL of its mock
 * server as last argument. Exit code 0 means that the scenario's calls were made.
 */
type Scenario = (worker: TestWorker, connectionId: string) => Promise<void>;

const scenarios: Record<string, Scenario> = {
  initialize: (worker, connectionId) => call(worker, connectionId, 'tools/list'),
  async tools_call(worker, connectionId) {
    await call(worker, connectionId, 'tools/list');
    const params = { name: 'add_numbers', arguments: { a: 5, b: 3 } };
    await call(worker, connectionId, 'tools/call', params);
  },
  async 'sse-retry'(worker, connectionId) {
    await call(worker, connectionId, 'tools/list');
    await call(worker, connectionId, 'tools/call', { name: 'test_reconnection', arguments: {} });
  },
  async 'elicitation-sep1034-client-defaults'(worker, connectionId) {
    await call(worker, connectionId, 'tools/list');
    const name = 'test_client_elicitation_defaults';
    await call(worker, connectionId, 'tools/call', { name, arguments: {} });
  },
};

async function call(
  worker: TestWorker,
  connectionId: string,
  method: string,
  params?: object,
): Promise<void> {
  const text = params === undefined ? undefined : JSON.stringify(params);
  const { carrierId } = await worker.manager.functions.send(connectionId, method, text);
  // A stream that ends may be resumed, so only a response settles the call for good.
  const { outcome } = await worker.until(() =>
    worker.correlation.items.find(
      (item): item is RequestItem =>
        item.kind === 'request' && item.httpId === carrierId && item.response !== undefined,
    ),
  );
  if (outcome !== 'result') throw new Error(`${method} ended as ${outcome}`);
}

const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const url = process.argv.at(-1) ?? '';
const scenario = scenarios[name];
if (scenario === undefined) throw new Error(`This client does not know the scenario ${name}.`);

const worker = await startTestWorker();
const connectionId = await worker.connect(url, {
  answers: { elicitation: 'defaults', sampling: 'refuse', roots: [] },
});
const summary = await worker.state(connectionId, 'connected', 'failed');
if (summary.state === 'failed') throw new Error(summary.problem?.message);
await scenario(worker, connectionId);
await worker.manager.functions.disconnect(connectionId, true);
await worker.recorder.flushed();
process.exit(0);
