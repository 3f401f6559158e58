import { browser } from 'wxt/browser';

/** An example capture that comes with the extension. */
export async function loadExample(file: string): Promise<File> {
  const response = await fetch(`/examples/${file}`);
  return new File([await response.blob()], file);
}

/** The URL of the page that DevTools is open on; `undefined` outside of DevTools, and where it is not told. */
export async function inspectedUrl(): Promise<string | undefined> {
  const { devtools } = browser as Partial<typeof browser>;
  if (devtools?.inspectedWindow === undefined) return undefined;
  try {
    const url = await evaluate(devtools.inspectedWindow, 'location.href');
    return typeof url === 'string' ? url : undefined;
  } catch {
    // On pages of the browser itself nothing may be evaluated.
    return undefined;
  }
}

/** Chrome calls back, Firefox promises a pair of the value and what went wrong. */
function evaluate(
  page: typeof browser.devtools.inspectedWindow,
  expression: string,
): Promise<unknown> {
  if (!import.meta.env.FIREFOX) {
    return new Promise((resolve) => page.eval(expression, (...[value]) => resolve(value)));
  }
  const promised: unknown = page.eval(expression);
  return Promise.resolve(promised).then((pair) => (Array.isArray(pair) ? pair[0] : undefined));
}
