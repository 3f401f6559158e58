import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findImports, importProblems } from './support/import-rules.ts';

const sources = globSync('{lib,components,entrypoints}/**/*.{ts,tsx}').toSorted();

test('every import of the product is one that the import table allows', () => {
  expect(sources.length).toBeGreaterThan(0);
  const problems = sources.flatMap((path) => importProblems(path, readFileSync(path, 'utf8')));
  expect(problems).toEqual([]);
});

test.each([
  ['lib/state/view/rows.ts', "import { browser } from 'wxt/browser';"],
  ['lib/capture/recorder.ts', "import { openDB } from 'idb';"],
  ['lib/errors.ts', "import { member } from './json/parse.ts';"],
  ['lib/protocol/jsonrpc.ts', "import { createRecorder } from '../capture/recorder.ts';"],
  ['lib/transport/transport.ts', "export { Block } from '../capture/wire-event.ts';"],
  ['lib/transport/transport.ts', "import { type Block } from '../capture/wire-event.ts';"],
  ['lib/connection/manager.ts', "import type { Feed } from '../state/app-model.ts';"],
  ['lib/port/contract.ts', "import { AppError } from '../errors.ts';"],
  ['lib/state/view/rows.ts', "const later = import('../../connection/manager.ts');"],
  ['lib/state/view/rows.ts', "import { h } from 'preact';"],
  ['lib/json/tree.ts', "import { readFile } from 'node:fs/promises';"],
  ['components/App.tsx', "import { openDatabase } from '../lib/capture/store/database.ts';"],
  ['components/ui/Tabs.tsx', "import { toRow } from '../../lib/state/rows.ts';"],
  ['components/App.tsx', "import { main } from '../entrypoints/panel/main.tsx';"],
  ['components/App.tsx', "import { PORT_NAME } from '../lib/port/contract.ts';"],
  ['lib/state/view/rows.ts', "import './rows.css';"],
  ['lib/state/view/rows.ts', "import { toRow } from './filter';"],
  ['lib/new-folder/file.ts', ''],
  ['entrypoints/panel/main.tsx', "import { wireEvent } from '../../tests/support/builders.ts';"],
])('the scanner catches a violation in %s: %s', (path, source) => {
  expect(importProblems(path, source)).toHaveLength(1);
});

test.each([
  ['lib/browser/worker/http.ts', "import { browser } from 'wxt/browser';"],
  ['lib/capture/store/open-database.ts', "import { openDB } from 'idb';"],
  ['lib/transport/transport.ts', "import type { Block } from '../capture/wire-event.ts';"],
  ['lib/state/view/rows.ts', "import { spanBytes } from '../../capture/correlate/http-record.ts';"],
  ['components/traffic/Table.tsx', "import { Tabs } from '../ui/Tabs.tsx';"],
  ['entrypoints/panel/main.tsx', "import { App } from '../../components/App.tsx';"],
])('the scanner lets pass %s: %s', (path, source) => {
  expect(importProblems(path, source)).toEqual([]);
});

test('the scanner reads code, not text that looks like it', () => {
  const source = [
    "// import { a } from './a.ts';",
    'const text = "import { b } from \'./b.ts\'";',
    "export * from './c.ts';",
    "import type { D } from './d.ts';",
  ].join('\n');
  expect(findImports('lib/state/view/rows.ts', source)).toEqual([
    { specifier: './d.ts', isType: true },
    { specifier: './c.ts', isType: false },
  ]);
});

test('every place that ARCHITECTURE.md names is there', () => {
  const named = readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/`([a-z]+)(\/[\w./*-]+)?`/g);
  const folders = new Map(
    [...globSync('lib/*'), ...globSync('{components,entrypoints,tests}')].map((path) => [
      path.replace('lib/', ''),
      path,
    ]),
  );
  const places = [...named].flatMap(([, folder = '', rest = '']) => {
    const path = folders.get(folder);
    return path === undefined ? [] : [path + rest];
  });
  expect(places.length).toBeGreaterThan(50);
  expect(places.filter((path) => globSync(`${path}{,.ts,.tsx,.mjs}`).length === 0)).toEqual([]);
});
