import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Layer } from '../../support/layers.ts';
import { runLayers } from '../../support/run-layers.ts';

let folder: string;
let printed: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-layers-'));
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A runner of two tests of which the second fails, always or unless it is run by its place. */
function layer(failing: 'always' | 'beside others', options: Partial<Layer> = {}): Layer {
  const file = join(folder, 'report.json');
  const script = `
    const [place] = process.argv.slice(1);
    const ok = place === 'some.spec.ts:7' && ${failing === 'beside others'};
    const spec = { title: 'a call is cancelled', ok, file: 'some.spec.ts', line: 7 };
    const stats = { expected: 1, unexpected: ok ? 0 : 1, flaky: 0, skipped: 0 };
    const report = { stats, suites: [{ specs: [], suites: [{ specs: [spec] }] }] };
    require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(report));
    process.exitCode = ok ? 0 : 1;
  `;
  return {
    name: 'browser',
    commands: [['node', '-e', script]],
    cores: 1,
    report: { format: 'playwright', file },
    ...options,
  };
}

test('a test that needs its time and passes alone counts as passed, and is named', async () => {
  const total = await runLayers([layer('beside others', { isTimed: true })], 2);
  expect(total).toMatchObject({ passed: 2, failed: 0 });
  expect(printed.join('\n')).toMatch(/Unstable: .*\n {2}browser: a call is cancelled/);
});

test('one that fails alone too has failed', async () => {
  const total = await runLayers([layer('always', { isTimed: true })], 2);
  expect(total).toMatchObject({ passed: 1, failed: 1 });
  expect(printed.join('\n')).toContain('Failed: browser.');
});

test('where time plays no part nothing runs twice', async () => {
  const total = await runLayers([layer('beside others')], 2);
  expect(total).toMatchObject({ passed: 1, failed: 1 });
  expect(printed.filter((line) => line.includes('once more'))).toEqual([]);
});
