// Makes a fresh machine ready: node tests/setup.mjs [chromium] [firefox] [xvfb] [xdotool]
// Plain JavaScript for Node 20 without dependencies, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS, findProgram } from './support/programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.wirescope-lock');

/** Says why the set-up cannot go on, and ends it. @param {string[]} lines @returns {never} */
function stop(...lines) {
  console.error(lines.join('\n'));
  process.exit(1);
}

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function run(command, args, env) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    .status;
}

function installModules() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`;
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  console.log('Installing npm packages…');
  // The Node inside node_modules must not run the command that replaces node_modules.
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  // The rest undoes what an outer npm hands down.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  if (run('npm', args, { PATH: path, NODE_ENV: 'development' }) !== 0) {
    stop('npm packages could not be installed; the reason stands above.', 'Try: npm ci');
  }
  writeFileSync(stampFile, wanted);
}

/** The compiler settings extend a file that WXT writes, by npm's hook after an installation. */
function prepareTypes() {
  if (existsSync(join(root, '.wxt', 'tsconfig.json'))) return;
  if (run('npm', ['run', '-s', 'postinstall']) !== 0) stop('wxt prepare has failed.');
}

/** Scripts in TypeScript need a Node that strips types; packages bring one on Linux only. */
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isRecent = major > 22 || (major === 22 && minor >= 18);
  if (isRecent || existsSync(join(modules, '.bin', 'node'))) return;
  stop(
    `Node ${process.versions.node} is too old here, and npm has no newer one for ` +
      `${process.platform}-${process.arch}.`,
    'Install Node 24 or newer and try again.',
  );
}

/** @param {(keyof typeof PROGRAMS)[]} names */
function installPrograms(names) {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return;
  for (const name of missing) {
    const { variable } = PROGRAMS[name];
    if (process.env[variable]) {
      stop(`${variable} is set to ${process.env[variable]}, which is no program.`);
    }
  }
  const packages = missing.flatMap((name) => PROGRAMS[name].packages);
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
  const isRoot = process.getuid?.() === 0;
  const byHand = [
    `Missing: ${missing.join(', ')}. Install with:`,
    `  ${isRoot ? '' : 'sudo '}apt-get update && ${isRoot ? '' : 'sudo '}${install.join(' ')}`,
    `or name other installations: ${missing.map((name) => `${PROGRAMS[name].variable}=PATH`).join(' ')}`,
  ];
  const hasApt = spawnSync('apt-get', ['--version']).status === 0;
  const prefix = isRoot ? [] : ['sudo', '-n'];
  if (!hasApt || (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0)) stop(...byHand);

  console.log(`Installing ${packages.join(', ')}…`);
  const asRoot = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive'];
  for (const command of [
    ['apt-get', 'update', '-qq'],
    [...install, '-qq'],
  ]) {
    const [program = '', ...args] = [...asRoot, ...command];
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) stop(stdout, stderr, `${command.join(' ')} failed.`, ...byHand);
  }
  const still = missing.filter((name) => findProgram(name) === undefined);
  if (still.length > 0) stop(`Installed, but not found in PATH: ${still.join(', ')}.`, ...byHand);
}

const known = /** @type {(keyof typeof PROGRAMS)[]} */ (Object.keys(PROGRAMS));
const unknown = process.argv.slice(2).filter((name) => !known.some((other) => other === name));
if (unknown.length > 0) stop(`Unknown: ${unknown.join(', ')}. Known: ${known.join(', ')}.`);

installModules();
checkNode();
prepareTypes();
installPrograms(known.filter((name) => process.argv.includes(name)));
