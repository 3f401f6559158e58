// npm test, and with the argument `check` npm run check: runs every layer and adds up what passed.
import { rmSync } from 'node:fs';
import { LAYERS } from './support/layers.ts';
import { runLayers } from './support/run-layers.ts';

const [chosen, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (chosen !== undefined && chosen !== 'check')) {
  console.error('Usage: node tests/run.ts [check]');
  process.exit(2);
}
const layers = chosen === 'check' ? LAYERS.filter(({ isCheck }) => isCheck) : LAYERS;
rmSync('.output/test', { recursive: true, force: true });
const { passed, failed, seconds } = await runLayers(layers, 2);
if (chosen === undefined) {
  console.log(
    '\nNot part of this: floods of 300 MB, which want a machine to themselves (npm run test:long).',
  );
}
console.log(`\nTook ${seconds} s.`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
