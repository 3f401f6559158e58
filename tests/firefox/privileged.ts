// Scripts that run inside Firefox with the rights of the browser. Each is sent as text: it sees its arguments
// and the globals declared here, and nothing else of this file. They rest on internals of Firefox ESR 153.
import { ADDON_ID } from './firefox.ts';
import type { Firefox } from './firefox.ts';

interface BrowsingContext {
  currentWindowGlobal?: { documentURI?: { scheme: string; spec: string } };
}

interface BrowserElement extends Element {
  browsingContext?: BrowsingContext;
}

interface MessageManager {
  addMessageListener(name: string, listener: (message: { data: number }) => void): void;
  removeMessageListener(name: string, listener: (message: { data: number }) => void): void;
  loadFrameScript(url: string, isForLater: boolean): void;
}

interface PrivilegedWindow {
  document: Document;
  gBrowser: {
    selectedTab: unknown;
    browsers: { currentURI: { scheme: string }; messageManager: MessageManager }[];
  };
  PopupNotifications: { isPanelOpen: boolean };
}

interface Toolbox {
  doc: Document;
  getAdditionalTools(): { id: string; extensionId: string }[];
  selectTool(id: string): Promise<unknown>;
  destroy(): Promise<void>;
}

interface ScriptError {
  errorMessage?: string;
  sourceName?: string;
  category?: string;
  flags?: number;
}

interface Extension {
  backgroundContext: { xulBrowser: { messageManager: MessageManager } } | null;
  backgroundState: string;
  getRequiredPermissions(): object;
  terminateBackground(options: object): Promise<void>;
}

declare const ChromeUtils: {
  importESModule<T>(url: string): T;
  requestProcInfo(): Promise<{ children: { type: string; memory: number }[] }>;
};
declare const WebExtensionPolicy: {
  getByID(id: string): { extension: Extension; privateBrowsingAllowed: boolean };
};
declare const Ci: { nsIScriptError: unknown; nsIMemoryReporterManager: unknown };
declare const Cc: Record<
  string,
  { getService(type: unknown): { minimizeMemoryUsage(done: () => void): void } } | undefined
>;
declare const Services: {
  prefs: {
    setIntPref(name: string, value: number): void;
    setStringPref(name: string, value: string): void;
    setBoolPref(name: string, value: boolean): void;
  };
  io: { manageOfflineStatus: boolean; offline: boolean };
  wm: {
    getMostRecentWindow(type: string): PrivilegedWindow;
    getEnumerator(type: string): Iterable<PrivilegedWindow>;
  };
  console: { getMessageArray(): ScriptError[] };
  obs: { notifyObservers(subject: null, topic: string): void };
};

/** Opens the popup of the toolbar button and drives it from now on. */
export async function openPopup(firefox: Firefox): Promise<void> {
  await firefox.marionette.runPrivileged(async (id) => {
    const { ExtensionParent } = ChromeUtils.importESModule<{
      ExtensionParent: {
        apiManager: {
          global: {
            browserActionFor(extension: Extension): {
              openPopup(window: PrivilegedWindow, isPinned: boolean): Promise<void>;
            };
          };
        };
      };
    }>('resource://gre/modules/ExtensionParent.sys.mjs');
    const window = Services.wm.getMostRecentWindow('navigator:browser');
    const { extension } = WebExtensionPolicy.getByID(id);
    await ExtensionParent.apiManager.global.browserActionFor(extension).openPopup(window, false);
  }, ADDON_ID);
  await followPopup(firefox);
}

/** Waits for the popup, however it was opened, and drives it from now on. */
export async function followPopup({ marionette, sessionId }: Firefox): Promise<void> {
  await marionette.runPrivileged(async (session) => {
    const { getWebDriverSessionById } = ChromeUtils.importESModule<{
      getWebDriverSessionById(id: string): { contentBrowsingContext: BrowsingContext };
    }>('chrome://remote/content/shared/webdriver/Session.sys.mjs');
    const window = Services.wm.getMostRecentWindow('navigator:browser');
    const end = Date.now() + 10_000;
    while (Date.now() < end) {
      const browsers = window.document.querySelectorAll<BrowserElement>(
        'browser.webextension-popup-browser',
      );
      for (const { browsingContext } of browsers) {
        if (browsingContext?.currentWindowGlobal?.documentURI?.scheme === 'moz-extension') {
          getWebDriverSessionById(session).contentBrowsingContext = browsingContext;
          return;
        }
      }
      await new Promise((resolve) => window.document.defaultView?.setTimeout(resolve, 50));
    }
    throw new Error('The popup has not opened.');
  }, sessionId);
}

export type Dock = 'bottom' | 'right' | 'window';

/**
 * Opens the real toolbox on the tab in front, selects our panel, and drives it from now on. One that is open already
 * goes to the side that is given.
 */
export async function openToolboxPanel(
  { marionette, sessionId }: Firefox,
  dock: Dock = 'bottom',
): Promise<void> {
  await marionette.runPrivileged(
    async (id, session, hostType) => {
      const { require } = ChromeUtils.importESModule<{
        require(name: string): {
          gDevTools: { showToolboxForTab(tab: unknown, options: object): Promise<Toolbox> };
        };
      }>('resource://devtools/shared/loader/Loader.sys.mjs');
      const { getWebDriverSessionById } = ChromeUtils.importESModule<{
        getWebDriverSessionById(id: string): { contentBrowsingContext: BrowsingContext };
      }>('chrome://remote/content/shared/webdriver/Session.sys.mjs');
      const window = Services.wm.getMostRecentWindow('navigator:browser');
      const end = Date.now() + 15_000;
      const until = async <T>(read: () => T | undefined): Promise<T> => {
        for (;;) {
          const value = read();
          if (value !== undefined) return value;
          if (Date.now() > end) throw new Error(`Gave up waiting for ${read.toString()}`);
          await new Promise((resolve) => window.document.defaultView?.setTimeout(resolve, 50));
        }
      };
      const { gDevTools } = require('devtools/client/framework/devtools');
      const toolbox = await gDevTools.showToolboxForTab(window.gBrowser.selectedTab, {
        toolId: 'webconsole',
        hostType,
      });
      const tool = await until(() =>
        toolbox.getAdditionalTools().find(({ extensionId }) => extensionId === id),
      );
      await toolbox.selectTool(tool.id);
      const found = await until(() => {
        const frame = toolbox.doc.getElementById(`toolbox-panel-iframe-${tool.id}`);
        const browser = (frame as HTMLIFrameElement | null)?.contentDocument?.querySelector(
          'browser',
        ) as (BrowserElement & HTMLElement) | null | undefined;
        const scheme = browser?.browsingContext?.currentWindowGlobal?.documentURI?.scheme;
        return scheme === 'moz-extension' ? browser : undefined;
      });
      if (found?.browsingContext === undefined) throw new Error('The panel is gone.');
      // Where the user would click first.
      found.focus();
      getWebDriverSessionById(session).contentBrowsingContext = found.browsingContext;
    },
    ADDON_ID,
    sessionId,
    dock,
  );
}

/** Closes the toolbox; the tab is driven from now on. */
export async function closeToolbox(firefox: Firefox): Promise<void> {
  const { marionette, tab } = firefox;
  await marionette.runPrivileged(async () => {
    const { require } = ChromeUtils.importESModule<{
      require(name: string): {
        gDevTools: { getToolboxForTab(tab: unknown): Toolbox | undefined };
      };
    }>('resource://devtools/shared/loader/Loader.sys.mjs');
    const { gDevTools } = require('devtools/client/framework/devtools');
    const { selectedTab } = Services.wm.getMostRecentWindow('navigator:browser').gBrowser;
    await gDevTools.getToolboxForTab(selectedTab)?.destroy();
  });
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
}

/** Chooses the theme of the developer tools. */
export async function setToolboxTheme(
  { marionette }: Firefox,
  theme: 'light' | 'dark',
): Promise<void> {
  await marionette.runPrivileged((name: string) => {
    Services.prefs.setStringPref('devtools.theme', name);
  }, theme);
}

/** Grants access to a host, or takes it back, as the user can in the settings of extensions. */
export async function grantHost(
  { marionette }: Firefox,
  pattern: string,
  isGranted = true,
): Promise<void> {
  await marionette.runPrivileged(
    async (id, origin, isToGrant) => {
      const { ExtensionPermissions } = ChromeUtils.importESModule<{
        ExtensionPermissions: Record<
          'add' | 'remove',
          (id: string, permissions: object, extension: Extension) => Promise<void>
        >;
      }>('resource://gre/modules/ExtensionPermissions.sys.mjs');
      const { extension } = WebExtensionPolicy.getByID(id);
      const permissions = { permissions: [], origins: [origin], data_collection: [] };
      await ExtensionPermissions[isToGrant ? 'add' : 'remove'](id, permissions, extension);
    },
    ADDON_ID,
    pattern,
    isGranted,
  );
}

/** Allows the extension in private windows, as the user can where an extension lets him; it holds from its next start. */
export async function allowInPrivate({ marionette }: Firefox): Promise<void> {
  await marionette.runPrivileged(async (id) => {
    const { ExtensionPermissions } = ChromeUtils.importESModule<{
      ExtensionPermissions: { add(id: string, permissions: object): Promise<void> };
    }>('resource://gre/modules/ExtensionPermissions.sys.mjs');
    const permissions = ['internal:privateBrowsingAllowed'];
    await ExtensionPermissions.add(id, { permissions, origins: [], data_collection: [] });
  }, ADDON_ID);
}

/** Whether the extension runs in private windows. */
export async function isInPrivate({ marionette }: Firefox): Promise<boolean> {
  return await marionette.runPrivileged(
    (id) => WebExtensionPolicy.getByID(id).privateBrowsingAllowed,
    ADDON_ID,
  );
}

/** Starts the extension anew, as an update does: all of its pages and what it has in memory go. */
export async function reloadExtension({ marionette }: Firefox): Promise<void> {
  await marionette.runPrivileged(async (id) => {
    const { AddonManager } = ChromeUtils.importESModule<{
      AddonManager: { getAddonByID(id: string): Promise<{ reload(): Promise<void> }> };
    }>('resource://gre/modules/AddonManager.sys.mjs');
    await (await AddonManager.getAddonByID(id)).reload();
  }, ADDON_ID);
}

/** Makes the database of the background refuse every record, as on a full disk, or take them again. */
export async function refuseRecords({ marionette }: Firefox, isFull: boolean): Promise<void> {
  await marionette.runPrivileged(
    async (id, isRefusing) => {
      // Runs beside the page, and lives as long as it does.
      const refuse = `
        const prototype = Cu.waiveXrays(content.IDBObjectStore.prototype);
        globalThis.accept ??= prototype.put;
        if (${isRefusing}) {
          const put = () => {
            throw new content.DOMException('Encountered full disk', 'QuotaExceededError');
          };
          Cu.exportFunction(put, prototype, { defineAs: 'put' });
        } else prototype.put = globalThis.accept;
        sendAsyncMessage('wirescope-refusing', 0);`;
      const manager =
        WebExtensionPolicy.getByID(id).extension.backgroundContext?.xulBrowser.messageManager;
      if (manager === undefined) throw new Error('The background does not run.');
      await new Promise<void>((resolve) => {
        const listener = () => {
          manager.removeMessageListener('wirescope-refusing', listener);
          resolve();
        };
        manager.addMessageListener('wirescope-refusing', listener);
        manager.loadFrameScript(`data:,${encodeURIComponent(refuse)}`, false);
      });
    },
    ADDON_ID,
    isFull,
  );
}

/** Chooses the colours of all pages, as the system does: a theme, or forced ones. */
export async function chooseColours(
  { marionette }: Firefox,
  colours: 'light' | 'dark' | 'forced',
): Promise<void> {
  await marionette.runPrivileged((name: string) => {
    Services.prefs.setIntPref('browser.display.document_color_use', name === 'forced' ? 2 : 1);
    Services.prefs.setIntPref(
      'layout.css.prefers-color-scheme.content-override',
      name === 'dark' ? 0 : 1,
    );
  }, colours);
}

/** Makes the toolbox on the right side so wide, in px. */
export async function setToolboxWidth({ marionette }: Firefox, width: number): Promise<void> {
  await marionette.runPrivileged((wide: number) => {
    const { document } = Services.wm.getMostRecentWindow('navigator:browser');
    const frame = document.querySelector<HTMLElement>('.devtools-toolbox-side-iframe');
    if (frame === null) throw new Error('No toolbox is on the right side.');
    frame.style.width = `${wide}px`;
  }, width);
}

/** Takes the whole browser off the network, or brings it back. */
export async function setOffline({ marionette }: Firefox, isOffline: boolean): Promise<void> {
  await marionette.runPrivileged((isOff: boolean) => {
    Services.io.manageOfflineStatus = false;
    Services.io.offline = isOff;
  }, isOffline);
}

/** Answers the real permission doorhanger; resolves with its text. */
export async function answerPrompt(
  { marionette }: Firefox,
  answer: 'allow' | 'deny',
): Promise<string> {
  return await marionette.runPrivileged(async (isAllowed) => {
    const end = Date.now() + 10_000;
    while (Date.now() < end) {
      for (const window of Services.wm.getEnumerator('navigator:browser')) {
        const notice = window.document.getElementById('addon-webext-permissions-notification') as
          | (HTMLElement & { button: HTMLElement; secondaryButton: HTMLElement })
          | null;
        if (notice !== null && window.PopupNotifications.isPanelOpen) {
          const text = notice.textContent.replaceAll(/\s+/g, ' ').trim();
          (isAllowed ? notice.button : notice.secondaryButton).click();
          return text;
        }
      }
      const { document } = Services.wm.getMostRecentWindow('navigator:browser');
      await new Promise((resolve) => document.defaultView?.setTimeout(resolve, 50));
    }
    throw new Error('No permission prompt has appeared.');
  }, answer === 'allow');
}

/** Stops the background at once, the way the idle timeout does. */
export async function stopBackground({ marionette }: Firefox): Promise<void> {
  await marionette.runPrivileged(async (id) => {
    const { extension } = WebExtensionPolicy.getByID(id);
    await extension.terminateBackground({
      ignoreDevToolsAttached: true,
      disableResetIdleForTest: true,
    });
  }, ADDON_ID);
}

/** Whether the background runs. Looking does not start it. */
export async function isBackgroundRunning({ marionette }: Firefox): Promise<boolean> {
  return await marionette.runPrivileged(
    (id) => WebExtensionPolicy.getByID(id).extension.backgroundState !== 'stopped',
    ADDON_ID,
  );
}

/** What the process of extensions has in memory, background and panel alike; in bytes. */
export async function extensionMemory({ marionette }: Firefox): Promise<number> {
  return await marionette.runPrivileged(async () => {
    const { children } = await ChromeUtils.requestProcInfo();
    return children.find(({ type }) => type === 'extension')?.memory ?? 0;
  });
}

/**
 * What the process of extensions holds once its collectors have run: objects, buffers, and what the browser itself
 * has in memory for it; in bytes. The extension must have a page in a tab.
 */
export async function heldMemory({ marionette }: Firefox): Promise<number> {
  return await marionette.runPrivileged(async () => {
    // Runs in the process of the page, which does nothing else meanwhile.
    const measure = `
      Cu.forceGC();
      Cu.forceCC();
      // What was found is freed beside it, and for certain before the next one begins.
      Cu.forceGC();
      const manager = Cc['@mozilla.org/memory-reporter-manager;1'].getService(Ci.nsIMemoryReporterManager);
      sendAsyncMessage('wirescope-held', manager.heapAllocated + manager.JSMainRuntimeGCHeap);`;
    const pages = [...Services.wm.getEnumerator('navigator:browser')].flatMap(
      ({ gBrowser }) => gBrowser.browsers,
    );
    const page = pages.find(({ currentURI }) => currentURI.scheme === 'moz-extension');
    if (page === undefined) throw new Error('No tab shows a page of the extension.');
    const { messageManager } = page;
    return await new Promise<number>((resolve) => {
      const listener = ({ data }: { data: number }) => {
        messageManager.removeMessageListener('wirescope-held', listener);
        resolve(data);
      };
      messageManager.addMessageListener('wirescope-held', listener);
      messageManager.loadFrameScript(`data:,${encodeURIComponent(measure)}`, false);
    });
  });
}

/** Lets the collectors of all processes run. */
export async function collectGarbage({ marionette }: Firefox): Promise<void> {
  await marionette.runPrivileged(async () => {
    const manager = Cc['@mozilla.org/memory-reporter-manager;1']?.getService(
      Ci.nsIMemoryReporterManager,
    );
    await new Promise<void>((resolve) => manager?.minimizeMemoryUsage(resolve));
    Services.obs.notifyObservers(null, 'child-gc-request');
    Services.obs.notifyObservers(null, 'child-cc-request');
  });
}

/** Warnings that Firefox shows when the extension is installed. */
export async function readInstallWarnings({ marionette }: Firefox): Promise<string[]> {
  return await marionette.runPrivileged((id) => {
    const { ExtensionData } = ChromeUtils.importESModule<{
      ExtensionData: { formatPermissionStrings(info: object): { msgs: string[] } };
    }>('resource://gre/modules/Extension.sys.mjs');
    const permissions = WebExtensionPolicy.getByID(id).extension.getRequiredPermissions();
    return ExtensionData.formatPermissionStrings({ permissions }).msgs;
  }, ADDON_ID);
}

/** What Firefox itself says in the same place: its settings cannot be fetched, since there is no network. */
const BROWSER_WORDS = /^console\.error: (?:RSLoader|"?services\.settings|\(new )/;

/** Has files saved to a folder, without a question. */
export async function saveDownloadsTo({ marionette }: Firefox, folder: string): Promise<void> {
  await marionette.runPrivileged((path: string) => {
    Services.prefs.setIntPref('browser.download.folderList', 2);
    Services.prefs.setStringPref('browser.download.dir', path);
    Services.prefs.setBoolPref('browser.download.useDownloadDir', true);
    Services.prefs.setBoolPref('browser.download.alwaysOpenPanel', false);
  }, folder);
}

/** Console errors, exceptions and CSP violations of the extension that Firefox has noted, one line each. */
export async function readErrors({ marionette, output }: Firefox): Promise<string[]> {
  const noted = await marionette.runPrivileged(() => {
    const WARNING = 1;
    return Services.console
      .getMessageArray()
      .map((message) => {
        // Reading it as a script error is what gives it these fields.
        return message instanceof (Ci.nsIScriptError as new () => ScriptError) ? message : {};
      })
      .filter(({ sourceName = '', flags = WARNING, errorMessage = '' }) => {
        const isOurs = `${sourceName} ${errorMessage}`.includes('moz-extension:');
        return isOurs && (flags & WARNING) === 0;
      })
      .map(({ errorMessage, sourceName }) => `${errorMessage} (${sourceName})`);
  });
  const said = output().match(/^console\.error: .*$/gm) ?? [];
  return [...noted, ...said.filter((line) => !BROWSER_WORDS.test(line))];
}

interface Netmonitor {
  store: { dispatch(action: unknown): void; getState(): { requests: { requests: unknown[] } } };
  windowRequire(name: string): Record<string, unknown>;
}

/** Has the Network panel of the toolbox load a HAR file; resolves with how many rows it shows. */
export async function loadIntoNetmonitor({ marionette }: Firefox, har: string): Promise<number> {
  return await marionette.runPrivileged(async (text) => {
    const { require } = ChromeUtils.importESModule<{
      require(name: string): {
        gDevTools: {
          showToolboxForTab(
            tab: unknown,
            options: object,
          ): Promise<Toolbox & { getCurrentPanel(): { panelWin: Netmonitor } }>;
        };
      };
    }>('resource://devtools/shared/loader/Loader.sys.mjs');
    const { gDevTools } = require('devtools/client/framework/devtools');
    const { selectedTab } = Services.wm.getMostRecentWindow('navigator:browser').gBrowser;
    const toolbox = await gDevTools.showToolboxForTab(selectedTab, { toolId: 'netmonitor' });
    const { store, windowRequire } = toolbox.getCurrentPanel().panelWin;
    const actions = Object.entries(windowRequire('devtools/client/netmonitor/src/actions/index'));
    const bound = actions.map(([name, create]) => [
      name,
      (...given: unknown[]) => store.dispatch((create as (...all: unknown[]) => unknown)(...given)),
    ]);
    const { HarImporter } = windowRequire('devtools/client/netmonitor/src/har/har-importer') as {
      HarImporter: new (doing: object) => { import(har: string): void };
    };
    new HarImporter(Object.fromEntries(bound)).import(text);
    const count = store.getState().requests.requests.length;
    await toolbox.destroy();
    return count;
  }, har);
}
