import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  outputDir: '../.output/test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 40_000,
  expect: { timeout: 6_000 },
  use: { screenshot: 'only-on-failure', actionTimeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '../.output/test/chromium.json' }]],
});
