import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

const LIFETIME = ['tests/firefox/lifetime.test.ts'];
/** Browsers that open windows and stop their background in time only where there is room. */
const LOAD = ['tests/firefox/kill.test.ts', 'tests/firefox/auth.test.ts'];
/** Minutes, and a machine to itself: `npm run test:long`. */
const FLOOD = ['tests/firefox/flood.test.ts', 'tests/firefox/flood-held.test.ts'];

/** Everything here runs in plain Node: `lib/` needs no browser, and no fake of one. */
export default defineConfig({
  root,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    passWithNoTests: false,
    restoreMocks: true,
    unstubGlobals: true,
    // Two cores, which the browsers share.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'tests/unit/**/*.test.ts',
            'tests/boundaries.test.ts',
            'tests/journeys.test.ts',
          ],
          // A property is tried some hundred times, also where the machine is busy.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'interop',
          include: ['tests/interop/**/*.test.ts'],
          // A peer and its bridge take seconds to start where the machine is busy.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxConcurrency: 3,
        },
      },
      firefox('firefox', ['tests/firefox/**/*.test.ts'], [...LIFETIME, ...LOAD, ...FLOOD]),
      // In real time.
      firefox('firefox-lifetime', LIFETIME),
      firefox('firefox-load', LOAD),
      firefox('firefox-flood', FLOOD),
    ],
  },
});

function firefox(name: string, include: string[], exclude: string[] = []) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      exclude,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // One browser at a time.
      fileParallelism: false,
    },
  };
}
