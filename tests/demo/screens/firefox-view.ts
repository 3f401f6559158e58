import { startFirefox, type Firefox } from '../../firefox/firefox.ts';
import { openToolboxPanel } from '../../firefox/privileged.ts';
import type { OpenView, View } from './view.ts';

interface PrivilegedWindow {
  gBrowser: { selectedBrowser: HTMLElement };
}

declare const Services: {
  prefs: {
    setIntPref(name: string, value: number): void;
    setStringPref(name: string, value: string): void;
  };
  wm: { getMostRecentWindow(type: string): PrivilegedWindow };
};

/** Larger than any picture: its tab is cut to size. */
const ROOMY = { width: 1600, height: 1200 };
/** What stores want. */
const PICTURE = { width: 1280, height: 800 };

async function start(
  extension: string,
  window: typeof ROOMY,
): Promise<{ firefox: Firefox } & Pick<View, 'run' | 'click' | 'setTheme' | 'close'>> {
  const firefox = await startFirefox(extension);
  const { marionette, tab } = firefox;
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
  await marionette.command('WebDriver:SetWindowRect', window);
  return {
    firefox,
    run: (script, ...args) => marionette.run(script, ...args),
    click: (selector) => marionette.click(selector),
    async setTheme(theme) {
      await marionette.runPrivileged((name) => {
        const CONTENT = 'layout.css.prefers-color-scheme.content-override';
        Services.prefs.setIntPref(CONTENT, name === 'dark' ? 0 : 1);
        Services.prefs.setStringPref('devtools.theme', name);
      }, theme);
    },
    close: () => firefox.quit(),
  };
}

async function takePicture({ marionette }: Firefox): Promise<Buffer> {
  const { value } = await marionette.command<{ value: string }>('WebDriver:TakeScreenshot', {
    full: false,
  });
  return Buffer.from(value, 'base64');
}

/** A tab of Firefox. */
export const openFirefox: OpenView = async (extension) => {
  const { firefox, ...view } = await start(extension, ROOMY);
  const { marionette } = firefox;
  return {
    ...view,
    goTo: async (file) => {
      await marionette.command('WebDriver:Navigate', { url: firefox.pageUrl(file) });
    },
    async resize({ width, height }) {
      await marionette.runPrivileged(
        (size) => {
          const { gBrowser } = Services.wm.getMostRecentWindow('navigator:browser');
          const { style } = gBrowser.selectedBrowser;
          for (const [name, value] of Object.entries(size)) {
            for (const bound of ['', 'min-', 'max-']) {
              style.setProperty(`${bound}${name}`, `${value}px`, 'important');
            }
          }
        },
        { width, height },
      );
    },
    picture: () => takePicture(firefox),
  };
};

/** The window of Firefox with the toolbox at its foot, as large as the pictures for stores. */
export const openFirefoxToolbox: OpenView = async (extension) => {
  const { firefox, ...view } = await start(extension, PICTURE);
  const { marionette } = firefox;
  await marionette.command('WebDriver:Navigate', { url: 'about:blank' });
  await openToolboxPanel(firefox);
  return {
    ...view,
    goTo: () => Promise.resolve(),
    resize: () => Promise.resolve(),
    async picture() {
      await marionette.command('Marionette:SetContext', { value: 'chrome' });
      try {
        return await takePicture(firefox);
      } finally {
        await marionette.command('Marionette:SetContext', { value: 'content' });
      }
    },
  };
};
