import { defineConfig } from '@playwright/test';

/** Several runs go side by side in `npm test`: each has a name, and files of its own. */
const run = process.env['WIRESCOPE_RUN'] ?? 'chromium';

/** What holds idle connections in real time, and what loads both cores. */
const LIFETIME = /lifetime\.spec\.ts$/;
const LOAD = /kill\.spec\.ts$/;
/** What takes minutes, and a machine to itself: `npm run test:long`. */
const FLOOD = /flood(?:-held)?\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  outputDir: `../.output/test-results/${run}`,
  projects: [
    { name: 'chromium', testIgnore: [LIFETIME, LOAD, FLOOD] },
    { name: 'lifetime', testMatch: LIFETIME },
    { name: 'load', testMatch: LOAD, workers: 1 },
    { name: 'flood', testMatch: FLOOD, workers: 1 },
  ],
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 40_000,
  expect: { timeout: 6_000 },
  use: { screenshot: 'only-on-failure', actionTimeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: `../.output/test/${run}.json` }]],
});
