/** One command of `npm test`. */
export interface Layer {
  name: string;
  /** Program in `node_modules/.bin` and its arguments, one command after the other. */
  commands: string[][];
  env?: Record<string, string>;
  /** Layers whose output this one reads. */
  after?: string[];
  /** How many of the two cores it keeps busy; none where it waits. */
  cores: 0 | 1 | 2;
  /** Report of a test runner; a layer without one counts as one test. */
  report?: { format: 'vitest' | 'playwright' | 'counts'; file: string };
  /** What it sees depends on browsers or programs of others getting their time: the few that fail run once more, alone. */
  isTimed?: boolean;
  /** Belongs to `npm run check` too. */
  isCheck?: boolean;
}

const CONFORMANCE = '.output/test/conformance.json';
const FIRST_MINUTE = '.output/test/first-minute.json';
const BUILD = ['wxt', 'build', '-b'];
const ZIP = ['wxt', 'zip', '--mode', 'store', '-b'];

/** In the order in which they should start; one that has to wait lets others pass. */
export const LAYERS: readonly Layer[] = [
  {
    // Before the browsers: the suite measures when we reconnect.
    name: 'conformance',
    commands: [['node', 'tests/conformance/run.ts', '--required', '--report', CONFORMANCE]],
    cores: 2,
    report: { format: 'counts', file: CONFORMANCE },
  },
  {
    // One after the other: each writes the generated types.
    name: 'build',
    commands: [
      [...BUILD, 'chrome'],
      [...BUILD, 'chrome', '--mode', 'granted'],
      [...BUILD, 'firefox'],
      [...ZIP, 'chrome'],
      [...ZIP, 'firefox'],
    ],
    env: { WIRESCOPE_GRANT: 'http://127.0.0.1/*' },
    cores: 2,
    isCheck: true,
  },
  playwright('lifetime', 0),
  vitest('firefox-lifetime', 0),
  { ...playwright('chromium', 2), isTimed: true },
  { ...vitest('firefox'), isTimed: true },
  vitest('unit'),
  // Starts servers and bridges of others, two processes a test; they answer in time only where there is room.
  { ...vitest('interop'), cores: 2, isTimed: true },
  { name: 'format', commands: [['oxfmt', '--check']], cores: 1, isCheck: true },
  {
    name: 'lint',
    commands: [['oxlint', '--type-aware']],
    after: ['build'],
    cores: 1,
    isCheck: true,
  },
  { name: 'types', commands: [['tsc']], after: ['build'], cores: 1, isCheck: true },
  { name: 'dead code', commands: [['knip']], after: ['build'], cores: 1, isCheck: true },
  { name: 'size', commands: [['size-limit']], after: ['build'], cores: 1, isCheck: true },
  {
    name: 'store lint',
    commands: [['node', 'tests/firefox/lint.ts']],
    after: ['build'],
    cores: 1,
  },
  {
    name: 'packages',
    commands: [
      ['node', 'tests/packages/listing.ts'],
      ['node', 'tests/packages/reproduce.ts'],
    ],
    after: ['build'],
    cores: 1,
  },
  {
    // It measures how long a newcomer takes.
    name: 'first minute',
    commands: [['node', 'tests/first-minute/start.ts', '--report', FIRST_MINUTE]],
    after: ['build'],
    cores: 2,
    report: { format: 'counts', file: FIRST_MINUTE },
  },
  // They measure how fast a panel answers, so they come last.
  playwright('load', 2),
  vitest('firefox-load', 2),
];

function playwright(name: string, cores: Layer['cores']): Layer {
  // As one word: it would take the places of tests for names of further projects.
  const config = ['--config', 'tests/playwright.config.ts', `--project=${name}`];
  return {
    name,
    commands: [['playwright', 'test', ...config]],
    env: { WIRESCOPE_RUN: name },
    after: ['build'],
    cores,
    report: { format: 'playwright', file: `.output/test/${name}.json` },
  };
}

/** After the build, which writes the compiler settings anew. */
function vitest(name: string, cores: Layer['cores'] = 1): Layer {
  const file = `.output/test/${name}.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return {
    name,
    commands: [
      ['vitest', 'run', '--config', 'tests/vitest.config.ts', '--project', name, ...reporters],
    ],
    after: ['build'],
    cores,
    report: { format: 'vitest', file },
  };
}
