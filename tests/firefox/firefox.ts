import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { programPath } from '../support/programs.mjs';
import { Marionette } from './marionette.ts';

export const ADDON_ID = '{3c0add5a-51aa-4304-8c87-0f78a048f131}';
const ADDON_UUID = '11111111-2222-4333-8444-555555555555';

export interface Firefox {
  marionette: Marionette;
  sessionId: string;
  /** Folder of its profile. */
  profile: string;
  /** Handle of the first tab. */
  tab: string;
  /** Address of a page of the extension. */
  pageUrl(file: string): string;
  /** What the console of a page or the background has said: `console.error: …`. */
  output(): string;
  /** Installs an extension for as long as the browser runs: a folder, or a zip as it is. */
  install(path: string): Promise<void>;
  /** Leaves the browser alone: nobody is attached to it until `attach`. */
  detach(): Promise<void>;
  /** Comes back, with a new `marionette`, `sessionId` and `tab`. */
  attach(): Promise<void>;
  quit(): Promise<void>;
}

const PREFERENCES = {
  'marionette.port': 0,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'browser.startup.homepage': 'about:blank',
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'app.update.disabledForTesting': true,
  'app.normandy.enabled': false,
  'xpinstall.signatures.required': false,
  'extensions.webextensions.uuids': JSON.stringify({ [ADDON_ID]: ADDON_UUID }),
  // The real prompt, which automation would otherwise switch off.
  'extensions.webextOptionalPermissionPrompts': true,
  'devtools.console.stdout.content': true,
  // Room for the panel: 250 pixels by default.
  'devtools.toolbox.footer.height': 550,
};

/** Starts Firefox, without a window where no X display is named, and installs an extension in it if one is given. */
export async function startFirefox(extension?: string, display?: string): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'wirescope-firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(
    programPath('firefox'),
    [
      '--marionette',
      '--remote-allow-system-access',
      ...(display === undefined ? ['--headless'] : []),
      '--no-remote',
      '--profile',
      profile,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        MOZ_CRASHREPORTER_DISABLE: '1',
        ...(display === undefined ? {} : { DISPLAY: display, MOZ_ENABLE_WAYLAND: '0' }),
      },
    },
  );
  // Ends the browser with us, however we end.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));

  const port = await readPort(profile, child);
  const session = await openSession(port);
  const firefox: Firefox = {
    ...session,
    profile,
    pageUrl: (file) => `moz-extension://${ADDON_UUID}/${file}`,
    output: () => output,
    async install(path) {
      // A copy, so that a build made meanwhile pulls no file from under the browser.
      const copy = join(profile, `wirescope${extname(path)}`);
      cpSync(path, copy, { recursive: true });
      await firefox.marionette.command('Addon:Install', { path: copy, temporary: true });
    },
    async detach() {
      await firefox.marionette.command('WebDriver:DeleteSession');
      firefox.marionette.close();
    },
    async attach() {
      Object.assign(firefox, await openSession(port));
    },
    async quit() {
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      // The answer may never come, since the browser quits.
      await Promise.race([
        firefox.marionette.command('Marionette:Quit', { flags: ['eForceQuit'] }),
        exited,
      ]);
      await exited;
      firefox.marionette.close();
      process.off('exit', kill);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  if (extension !== undefined) await firefox.install(extension);
  return firefox;
}

async function openSession(
  port: number,
): Promise<Pick<Firefox, 'marionette' | 'sessionId' | 'tab'>> {
  const marionette = await Marionette.connect(port);
  const { sessionId } = await marionette.command<{ sessionId: string }>('WebDriver:NewSession', {
    capabilities: {},
  });
  await marionette.command('WebDriver:SetTimeouts', { pageLoad: 20_000, script: 20_000 });
  const { value: tab } = await marionette.command<{ value: string }>('WebDriver:GetWindowHandle');
  return { marionette, sessionId, tab };
}

/** Firefox writes the port it has chosen to a file. */
async function readPort(profile: string, child: ChildProcess): Promise<number> {
  const file = join(profile, 'MarionetteActivePort');
  const end = Date.now() + 60_000;
  for (;;) {
    const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (port > 0) return port;
    if (child.exitCode !== null) throw new Error(`Firefox ended with ${child.exitCode}.`);
    if (Date.now() > end) throw new Error('Firefox has not started within a minute.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
