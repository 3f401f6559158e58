import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `npm run conformance`: the official suite against our transports, for what they can do so far. */
const SCENARIOS = ['initialize', 'tools_call', 'sse-retry', 'elicitation-sep1034-client-defaults'];

const client = fileURLToPath(new URL('client.ts', import.meta.url));
let failed = 0;
for (const scenario of SCENARIOS) {
  const command = `${process.execPath} ${client}`;
  const run = spawnSync(
    'npx',
    ['conformance', 'client', '--command', command, '--scenario', scenario, '--timeout', '30000'],
    { encoding: 'utf8' },
  );
  const passed = run.status === 0;
  if (!passed) failed += 1;
  console.log(`${passed ? 'passed' : 'FAILED'}  ${scenario}`);
  if (!passed) console.log(run.stdout, run.stderr);
}
console.log(`${SCENARIOS.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
