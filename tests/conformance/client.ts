import { eraOf } from '../../lib/protocol/revisions.ts';
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
const wire = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '';
const url = process.argv.at(-1) ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Context;
const scenario = scenarioOf(name);
if (scenario === undefined) throw new Error(`This client does not know the scenario ${name}.`);

try {
  const session = await openSession(url, scenario.answers, scenario.auth?.(context));
  // The servers of extensions speak the modern era, whatever the wire is called.
  if (session.era !== eraOf(wire) && !name.startsWith('sep-2640-')) {
    throw new Error(`The server speaks ${wire}, but the choice was ${session.era}.`);
  }
  await scenario.calls(session, context);
  await session.close();
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
