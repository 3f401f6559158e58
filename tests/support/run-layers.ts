import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readReport } from './test-report.ts';
import type { Counts, Failure } from './test-report.ts';
import type { Layer } from './layers.ts';
import { NOTE } from './note.ts';

export interface Total extends Counts {
  seconds: number;
}

interface Outcome {
  layer: Layer;
  counts: Counts;
  failures: Failure[];
}

const binaries = join(import.meta.dirname, '../../node_modules/.bin');

/** Runs layers side by side on a number of cores; prints a line for each, and failures in full. */
export async function runLayers(layers: readonly Layer[], cores: number): Promise<Total> {
  const started = Date.now();
  const waiting = [...layers];
  const running = new Map<Layer, Promise<Outcome>>();
  const done = new Set<string>();
  const outcomes: Outcome[] = [];
  const total = { passed: 0, failed: 0, seconds: 0 };
  const isKnown = (name: string) => layers.some((layer) => layer.name === name);

  while (waiting.length > 0 || running.size > 0) {
    for (const layer of [...waiting]) {
      const busy = [...running.keys()].reduce((sum, other) => sum + other.cores, 0);
      const isReady = (layer.after ?? []).every((name) => done.has(name) || !isKnown(name));
      // A layer of one core may join whatever runs: browsers wait more than they work.
      const room = cores + (layer.cores === 1 ? 1 : 0) - busy;
      if (!isReady || (layer.cores > 0 && layer.cores > room)) continue;
      waiting.splice(waiting.indexOf(layer), 1);
      running.set(layer, runLayer(layer));
    }
    const outcome = await Promise.race(running.values());
    running.delete(outcome.layer);
    done.add(outcome.layer.name);
    outcomes.push(outcome);
  }
  const unstable: string[] = [];
  for (const outcome of outcomes) {
    if (await passesAlone(outcome)) {
      unstable.push(...outcome.failures.map(({ name }) => `${outcome.layer.name}: ${name}`));
      outcome.counts.passed += outcome.counts.failed;
      outcome.counts.failed = 0;
    }
    total.passed += outcome.counts.passed;
    total.failed += outcome.counts.failed;
  }
  if (unstable.length > 0) {
    console.log(`\nUnstable: failed beside others, passed alone.\n  ${unstable.join('\n  ')}`);
  }
  const broken = outcomes.filter(({ counts }) => counts.failed > 0);
  if (broken.length > 0) {
    console.log(`\nFailed: ${broken.map(({ layer }) => layer.name).join(', ')}. See above.`);
  }
  total.seconds = Math.round((Date.now() - started) / 1000);
  return total;
}

/**
 * Whether the few tests that failed pass with the machine to themselves: a browser that is starved by another one
 * shows nothing of the product. They are named either way. Many failures are no coincidence.
 */
async function passesAlone({ layer, counts, failures }: Outcome): Promise<boolean> {
  const isFew = failures.length > 0 && failures.length === counts.failed && failures.length <= 3;
  if (!isFew || !layer.isTimed) return false;
  const places = [...new Set(failures.map(({ place }) => place))];
  const again = await runLayer({
    ...layer,
    name: `${layer.name}, once more alone: ${failures.map(({ name }) => name).join('; ')}`,
    commands: layer.commands.map((command) => [...command, ...places]),
  });
  return again.counts.failed === 0;
}

async function runLayer(layer: Layer): Promise<Outcome> {
  const started = Date.now();
  let output = '';
  let code: number | null = 0;
  for (const command of layer.commands) {
    const result = await run(command, layer.env);
    output += result.output;
    code = result.code;
    if (code !== 0) break;
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const read = layer.report === undefined ? undefined : readReport(layer.report);
  const counts = read?.counts ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  // A runner that failed outside of a test, or ran none, must not pass.
  const isEmpty = layer.report !== undefined && (read === undefined || read.counts.passed === 0);
  if (counts.failed === 0 && (code !== 0 || isEmpty)) counts.failed = 1;
  const words = layer.report ? `${counts.passed} passed, ${counts.failed} failed, ` : '';
  const isFine = counts.failed === 0;
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${layer.name} (${words}${seconds} s)`);
  if (!isFine) console.log(`${output.trimEnd()}\n--- end of ${layer.name}, exit code ${code}\n`);
  return { layer, counts, failures: read?.failures ?? [] };
}

async function run(
  [program = '', ...args]: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const path = program === 'node' ? process.execPath : join(binaries, program);
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith(NOTE)) console.log(line);
  });
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
