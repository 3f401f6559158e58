import { browser } from 'wxt/browser';

/** An example capture that comes with the extension. */
export async function loadExample(file: string): Promise<File> {
  const response = await fetch(`/examples/${file}`);
  return new File([await response.blob()], file);
}

/**
 * Tells the URL of the page that DevTools is open on, now and whenever it has changed, until its result is called;
 * `undefined` where it is not told. Outside of DevTools there is nothing to tell.
 */
export function watchInspected(listener: (url: string | undefined) => void): () => void {
  const { devtools } = browser as Partial<typeof browser>;
  if (devtools?.inspectedWindow === undefined) return () => undefined;
  const { inspectedWindow, network } = devtools;
  // On pages of the browser itself nothing may be evaluated.
  evaluate(inspectedWindow, 'location.href').then(
    (url) => listener(typeof url === 'string' ? url : undefined),
    () => listener(undefined),
  );
  // Where the process has changed as well, Chrome finds nothing there to evaluate in.
  network.onNavigated.addListener(listener);
  return () => network.onNavigated.removeListener(listener);
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
