// npm run screenshots [-- SCENE...]: the panel in the sizes and themes that it is used in, into .output/screenshots.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PanelPage } from '../e2e/panel.ts';
import { startEverything } from '../server/everything.ts';
import { buildExtension } from '../support/build.ts';
import { startChromium } from '../support/chromium.ts';
import { startProtected } from './protected.ts';
import { SCENES, fillPanel } from './scenes.ts';

const FOLDER = join(import.meta.dirname, '../../.output/screenshots');
const THEMES = ['light', 'dark'] as const;
/** A narrow window, DevTools docked at the bottom, and a screen of its own. */
const SIZES = [
  { width: 400, height: 600 },
  { width: 1280, height: 350 },
  { width: 1440, height: 900 },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !SCENES.some((scene) => scene.name === name));
if (unknown.length > 0) {
  throw new Error(`There are the scenes ${SCENES.map(({ name }) => name).join(', ')}.`);
}
const scenes = SCENES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

const server = await startEverything();
const protectedServer = await startProtected();
try {
  const { hostname } = new URL(server.url);
  const extension = await buildExtension('demo', [`http://${hostname}/*`]);
  mkdirSync(FOLDER, { recursive: true });
  for (const theme of THEMES) await takeAll(extension, theme);
  console.log(`Screenshots: ${relative(process.cwd(), FOLDER)}`);
} finally {
  await server.close();
  await protectedServer.close();
}

async function takeAll(extension: string, theme: (typeof THEMES)[number]): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'wirescope-screenshots-'));
  const browser = await startChromium({ extension, profile, colorScheme: theme });
  try {
    const page = await browser.context.newPage();
    await page.goto(browser.pageUrl('panel.html'));
    const panel = new PanelPage(page);
    await fillPanel(panel, server.url);
    for (const { name, show, leave } of scenes) {
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await show(panel, { protectedServer });
        const file = `${name}-${size.width}x${size.height}-${theme}.png`;
        await page.screenshot({ path: join(FOLDER, file) });
        await leave(panel);
      }
    }
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
