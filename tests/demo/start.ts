// npm start [-- --once] [-- URL]: opens Wirescope on a real server; without a display it goes once through all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startEverything } from '../server/everything.ts';
import { buildExtension } from '../support/build.ts';
import { startChromium } from '../support/chromium.ts';
import { formatTable, takeTour } from './tour.ts';

const SCREENSHOT = join(import.meta.dirname, '../../.output/demo/panel.png');

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { once, screenshot, url: given } = readArguments();
  const hasDisplay = Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  const isVisible = hasDisplay && !once;
  const server = given === undefined ? await startEverything() : undefined;
  const url = given ?? server?.url ?? '';
  const profile = mkdtempSync(join(tmpdir(), 'wirescope-demo-'));
  // On exit, since Ctrl+C ends the process from within Playwright.
  process.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  try {
    console.log('Building the extension…');
    const { protocol, hostname } = new URL(url);
    const extension = await buildExtension('demo', [`${protocol}//${hostname}/*`]);
    console.log(`Opening Chromium${isVisible ? '' : ' without a window'}, connecting to ${url}…`);
    const browser = await startChromium({
      extension,
      profile,
      ...(isVisible ? { visibleOn: process.env } : {}),
    });
    const closed = new Promise<void>((resolve) => browser.context.once('close', () => resolve()));
    try {
      const result = await takeTour(browser, {
        url,
        canCallTools: server !== undefined,
        screenshot,
      });
      console.log(`\n${result.connected}\n\n${formatTable(result.table)}\n`);
      console.log(`Screenshot: ${relative(process.cwd(), screenshot)}`);
      if (isVisible) {
        console.log('The browser stays open. Close its windows to end.');
        await closed;
        return;
      }
    } catch (error) {
      await browser.context.close();
      throw error;
    }
    await browser.close();
    const problems = [...browser.problems.found];
    if (problems.length > 0) throw new Error(`Errors in the console:\n${problems.join('\n')}`);
  } finally {
    await server?.close();
  }
}

function readArguments(): { once: boolean; screenshot: string; url: string | undefined } {
  const { values, positionals } = parseArgs({
    options: {
      once: { type: 'boolean', default: false },
      screenshot: { type: 'string', default: SCREENSHOT },
    },
    allowPositionals: true,
  });
  const [url, ...rest] = positionals;
  const isUsable = url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? '');
  if (rest.length > 0 || !isUsable) {
    throw new Error(
      `Not the URL of an MCP endpoint: ${positionals.join(' ')}\n` +
        'Usage: npm start [-- [--once] [http://HOST:PORT/PATH]]',
    );
  }
  return { once: values.once, screenshot: values.screenshot, url };
}
