// Where parts of a visible Firefox are, for a real mouse. Scripts that run inside it, as those of privileged.ts.
import type { Firefox } from './firefox.ts';

interface Place {
  x: number;
  y: number;
}

interface BrowserWindow {
  document: Document;
  mozInnerScreenX: number;
  mozInnerScreenY: number;
}

declare const Services: {
  prefs: { setBoolPref(name: string, value: boolean): void };
  wm: { getMostRecentWindow(type: string): BrowserWindow };
};

/** Has what is opened take the keyboard as it does for users: automation keeps it where it was. */
export async function takeFocusAsUsual({ marionette }: Firefox): Promise<void> {
  await marionette.runPrivileged(() => Services.prefs.setBoolPref('focusmanager.testmode', false));
}

/** Where an element of the browser itself is on the screen; undefined while it is not shown, or does not react. */
export async function placeInBrowser(
  { marionette }: Firefox,
  selector: string,
): Promise<Place | undefined> {
  const place = await marionette.runPrivileged((css) => {
    const window = Services.wm.getMostRecentWindow('navigator:browser');
    const element = window.document.querySelector(css);
    const { x = 0, y = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    if (width === 0 || element?.hasAttribute('disabled')) return null;
    return {
      x: window.mozInnerScreenX + x + width / 2,
      y: window.mozInnerScreenY + y + height / 2,
    };
  }, selector);
  return place ?? undefined;
}

/** The same of an element of the page in front, by XPath. */
export async function placeInPage(
  { marionette }: Firefox,
  xpath: string,
): Promise<Place | undefined> {
  const place = await marionette.run((path) => {
    const first = XPathResult.FIRST_ORDERED_NODE_TYPE;
    const element = document.evaluate(path, document, null, first).singleNodeValue;
    if (!(element instanceof HTMLElement) || element.matches(':disabled')) return null;
    const { x, y, width, height } = element.getBoundingClientRect();
    const { mozInnerScreenX, mozInnerScreenY } = globalThis as unknown as BrowserWindow;
    if (width === 0) return null;
    return { x: mozInnerScreenX + x + width / 2, y: mozInnerScreenY + y + height / 2 };
  }, xpath);
  return place ?? undefined;
}
