import { openSession } from './session.ts';
import { scenarioOf, type Context } from './scenarios.ts';

/**
 * The client that the official suite drives: it starts this file once per scenario, with the URL of its mock
 * server as last argument. Exit code 0 means that the scenario's calls were made.
 */
const LIMIT_MS = 25_000;

// The suite ends only the shell around this process, and later than this.
setTimeout(() => {
  console.error(`The calls of the scenario took more than ${LIMIT_MS} ms.`);
  process.exit(1);
}, LIMIT_MS);

const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const url = process.argv.at(-1) ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Context;
const scenario = scenarioOf(name);
if (scenario === undefined) throw new Error(`This client does not know the scenario ${name}.`);

try {
  const session = await openSession(url, scenario.answers);
  await scenario.calls(session, context);
  await session.close();
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
