// Plain JavaScript, since the set-up runs before anything is installed.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Programs that Debian provides, each with the packages that bring it and the environment variable that
 * names another installation.
 *
 * @satisfies {Record<string, { variable: string; names: string[]; packages: string[] }>}
 */
export const PROGRAMS = {
  chromium: {
    variable: 'CHROMIUM',
    names: ['chromium', 'chromium-browser'],
    packages: ['chromium', 'fonts-dejavu-core'],
  },
  firefox: { variable: 'FIREFOX', names: ['firefox-esr'], packages: ['firefox-esr'] },
  xvfb: { variable: 'XVFB', names: ['Xvfb'], packages: ['xvfb'] },
  xdotool: { variable: 'XDOTOOL', names: ['xdotool'], packages: ['xdotool'] },
};

/**
 * Path of a program: from its environment variable, else from PATH.
 *
 * @param {keyof typeof PROGRAMS} name
 * @returns {string | undefined} undefined when it is not installed.
 */
export function findProgram(name) {
  const { variable, names } = PROGRAMS[name];
  const chosen = process.env[variable];
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const file of names) {
      const path = join(folder, file);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

/**
 * Like `findProgram`, for code that cannot go on without it.
 *
 * @param {keyof typeof PROGRAMS} name
 */
export function programPath(name) {
  const path = findProgram(name);
  if (path !== undefined) return path;
  throw new Error(`${name} is not installed. Run: node tests/setup.mjs ${name}`);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
