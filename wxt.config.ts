import { defineConfig } from 'wxt';

/** Public half of the key that fixes the Chrome id of builds loaded unpacked; stores refuse it. */
const CHROME_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkxRPAl0rhZSbCERjHWO9GuiizvO3RRSRClQBx06lhTLegpeQAw0Ry6WUh1G/VP7jihXgsC8mSuE7a9cT4C7Wt6CZqt6GDjHHHynuPYKVbhnKTH1h4VT8Vy9aKIBeRipJ8MewInELgksBtWYKPlp4QsgelxxIhMA7jcNhDY2+PXfCJ9Ito+yNyr+WuuWF64U7i9EePcBtK9Orw3tMvFdfEl7XC41R22E5WjGGUAL1Ketf4UXrfQ3nLPf0A758G9tTSm/1fqE3JqXG8n/crVo2o3HMqNVBdATccs9BPIW0ThCzi91mVWv7IbI8ElGfLZYq/3aRqKFq9khMQUtX/9I5lwIDAQAB';

/** Fixed for ever: OAuth redirects and stored data hang on it. */
const FIREFOX_ID = '{3c0add5a-51aa-4304-8c87-0f78a048f131}';

/** Modes of tests and of the demo, in which no person is there to click Allow. */
const GRANTED_MODES = ['granted', 'demo'];

/** Host patterns that those builds hold from the start. */
const grantedHosts = (process.env['WIRESCOPE_GRANT'] ?? 'http://127.0.0.1/*').split(',');

/** Chrome grants WebSockets apart from http; without that it changes no header of their handshakes. */
const socketHosts = (patterns: string[]) => patterns.map((host) => host.replace(/^http/, 'ws'));

export default defineConfig({
  manifestVersion: 3,
  imports: false,
  zip: {
    artifactTemplate: '{{name}}-{{packageVersion}}-{{browser}}.zip',
    sourcesTemplate: '{{name}}-{{packageVersion}}-sources.zip',
    // Sources are for a reviewer, who has to build the same bytes from them.
    includeSources: ['**/*', '.npmrc', '.oxfmtrc.json', '.oxlintrc.json', '.size-limit.mjs'],
    excludeSources: ['tests/store/*.png'],
  },
  hooks: {
    // Not by a mark in the page itself: WXT would leave a page that is marked out of the sources too.
    'entrypoints:resolved': (wxt, entrypoints) => {
      if (wxt.config.browser === 'chrome') return;
      entrypoints.splice(0, Infinity, ...entrypoints.filter(({ name }) => name !== 'offscreen'));
    },
  },
  vite: () => ({
    // What is tested is what is shipped: other modes would get the JSX calls of development.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: { modulePreload: false },
  }),
  manifest: ({ browser, mode }) => ({
    name: 'Wirescope: DevTools for MCP',
    short_name: 'Wirescope',
    description:
      'Connect to a Model Context Protocol server and see every byte: requests, streams, headers, timing.',
    permissions: [
      // Starts the worker again where it was stopped while a connection was open.
      'alarms',
      'declarativeNetRequestWithHostAccess',
      // Opens the pages of authorization servers, and hands us what they redirect to.
      'identity',
      // A document for WebSockets, whose handshakes Chrome changes only there.
      ...(browser === 'chrome' ? ['offscreen'] : []),
      'storage',
      'unlimitedStorage',
      'webRequest',
    ],
    ...(GRANTED_MODES.includes(mode)
      ? { host_permissions: [...grantedHosts, ...socketHosts(grantedHosts)] }
      : {}),
    optional_host_permissions:
      browser === 'chrome' ? ['*://*/*', 'ws://*/*', 'wss://*/*'] : ['*://*/*'],
    // What a server sends is never a reason to load anything.
    content_security_policy: {
      extension_pages:
        "script-src 'self'; object-src 'self'; img-src 'self' data: blob:; media-src data: blob:",
    },
    // What it records goes to disk, which no private window may do. Its connections belong to the browser, not to a
    // window, so nothing would be gained there: Firefox has one background for all windows, and Chrome shares session
    // memory and request rules between the two that it would run, so each would take up what the other has open.
    incognito: 'not_allowed',
    action: {
      default_title: 'Wirescope',
      // Otherwise it would be in a menu, where a newcomer has to look for it. Chrome has no such key.
      ...(browser === 'firefox' ? { default_area: 'navbar' } : {}),
    },
    ...(browser === 'chrome' && mode !== 'store' ? { key: CHROME_KEY } : {}),
    ...(browser === 'chrome' ? { minimum_chrome_version: '132' } : {}),
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: FIREFOX_ID,
              strict_min_version: '142.0',
              data_collection_permissions: { required: ['none'] },
            },
          },
        }
      : {}),
  }),
});
