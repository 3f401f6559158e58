// npm run screenshots [-- --all [chromium|firefox] [CHAPTER...]]: the pictures of the stores and of README, or every
// screen in every size, theme and browser.
import { join, relative } from 'node:path';
import { buildExtension } from '../support/build.ts';
import type { Chapter } from './screens/chapter.ts';
import { CHAPTERS } from './screens/chapters.ts';
import { openChromium, openChromiumDevtools } from './screens/chromium-view.ts';
import { openFirefox, openFirefoxToolbox } from './screens/firefox-view.ts';
import { openStage, type Stage } from './screens/stage.ts';
import { takeChapter, type Shot } from './screens/take.ts';
import type { OpenView, Size, Theme } from './screens/view.ts';

const ROOT = join(import.meta.dirname, '../..');
const EVERY = join(ROOT, '.output/screenshots');
const STORE = join(ROOT, 'tests/store');

const BROWSERS = ['chromium', 'firefox'] as const;
const THEMES: readonly Theme[] = ['light', 'dark'];

/** A tab of its own, DevTools at the bottom of a window, and at its right side. */
const SIZES: Record<string, Size> = {
  wide: { width: 1440, height: 900 },
  bottom: { width: 1280, height: 350 },
  narrow: { width: 400, height: 700 },
};
const POPUP: Record<string, Size> = { popup: { width: 320, height: 580 } };
/** What both stores take. */
const STORE_SIZE: Size = { width: 1280, height: 800 };

type Browser = (typeof BROWSERS)[number];

interface StorePicture {
  file: string;
  browser: Browser;
  open: OpenView;
  scene: string;
  theme: Theme;
}

/** In the order in which stores show them. */
const STORE_PICTURES: readonly StorePicture[] = [
  {
    file: '1-devtools',
    browser: 'chromium',
    open: openChromiumDevtools,
    scene: 'stream',
    theme: 'light',
  },
  { file: '2-traffic', browser: 'chromium', open: openChromium, scene: 'traffic', theme: 'light' },
  {
    file: '3-authorization',
    browser: 'chromium',
    open: openChromium,
    scene: 'authorization',
    theme: 'light',
  },
  {
    file: '4-server',
    browser: 'chromium',
    open: openChromium,
    scene: 'server-structured',
    theme: 'light',
  },
  { file: '5-diagram', browser: 'chromium', open: openChromium, scene: 'diagram', theme: 'dark' },
  {
    file: 'firefox',
    browser: 'firefox',
    open: openFirefoxToolbox,
    scene: 'message',
    theme: 'light',
  },
];

const [flag, ...rest] = process.argv.slice(2);
const isEvery = flag === '--all';
const known = [...BROWSERS, ...CHAPTERS.map(({ name }) => name)];
const unknown = (isEvery ? rest : [flag ?? '', ...rest]).filter((word) => !known.includes(word));
if (flag !== undefined && unknown.length > 0) {
  throw new Error(`Say --all, and then any of ${known.join(', ')}.`);
}

const failures: string[] = [];
{
  await using stage = await openStage();
  failures.push(...(isEvery ? await takeEvery(stage, rest) : await takeStorePictures(stage)));
}
console.log(`Screenshots: ${relative(process.cwd(), isEvery ? EVERY : STORE)}`);
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Builds with access to this machine: nobody is there to allow it. */
async function build(browser: Browser): Promise<string> {
  return await buildExtension('demo', ['http://127.0.0.1/*'], browser);
}

async function takeEvery(stage: Stage, words: readonly string[]): Promise<string[]> {
  const isWanted = (names: readonly string[], name: string) =>
    !words.some((word) => names.includes(word)) || words.includes(name);
  const found: string[] = [];
  for (const browser of BROWSERS.filter((name) => isWanted(BROWSERS, name))) {
    const extension = await build(browser);
    const open = browser === 'firefox' ? openFirefox : openChromium;
    const names = CHAPTERS.map(({ name }) => name);
    for (const chapter of CHAPTERS.filter(({ name }) => isWanted(names, name))) {
      const shotsOf = ({ name }: { name: string }) => everyShot(join(EVERY, browser), name);
      found.push(...(await takeChapter(chapter, { open, extension, stage, shotsOf })));
    }
  }
  return found;
}

function everyShot(folder: string, scene: string): Shot[] {
  const sizes = scene.startsWith('popup') ? POPUP : SIZES;
  return Object.entries(sizes).flatMap(([sizeName, size]) =>
    THEMES.map((theme) => ({
      size,
      theme,
      path: join(folder, theme, `${scene}-${sizeName}.png`),
    })),
  );
}

async function takeStorePictures(stage: Stage): Promise<string[]> {
  const extensions = { chromium: await build('chromium'), firefox: await build('firefox') };
  const found: string[] = [];
  for (const { file, browser, open, scene, theme } of STORE_PICTURES) {
    const shot: Shot = { size: STORE_SIZE, theme, path: join(STORE, `${file}.png`) };
    const camera = {
      open,
      extension: extensions[browser],
      stage,
      shotsOf: ({ name }: { name: string }) => (name === scene ? [shot] : []),
    };
    found.push(...(await takeChapter(chapterOf(scene), camera)));
  }
  return found;
}

function chapterOf(scene: string): Chapter {
  const chapter = CHAPTERS.find(({ scenes }) => scenes.some(({ name }) => name === scene));
  if (chapter === undefined) throw new Error(`There is no scene ${scene}.`);
  return chapter;
}
