import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import {
  announceLateScripts,
  hasCredentials,
  loadLate,
} from '../lib/browser/worker/late-script.ts';
import { openHttpDoor } from '../lib/browser/worker/http.ts';
import { awayMs, createKeepAlive, listenForReviver } from '../lib/browser/worker/keep-alive.ts';
import { openBrowserLog } from '../lib/browser/worker/log.ts';
import { showPopup } from '../lib/browser/page/popup.ts';
import { createOriginRules } from '../lib/browser/worker/origin-rule.ts';
import { hasHost, hostPattern, watchPermissions } from '../lib/browser/permissions.ts';
import { openSocketDoor } from '../lib/browser/socket/socket-door.ts';
import { localEras, localRecentServers, sessionWishes } from '../lib/browser/worker/stores.ts';
import { createTimeWatch } from '../lib/browser/worker/time.ts';
import { putUpdatesOff } from '../lib/browser/worker/update.ts';
import { createEraCache } from '../lib/connection/connect/era-cache.ts';
import { createLateAuthorizing } from '../lib/connection/auth/late-authorizing.ts';
import { createManager } from '../lib/connection/manager.ts';
import { createRecentServers } from '../lib/connection/wishes/recent-servers.ts';
import { timeLimit } from '../lib/connection/time-limit.ts';
import { createHub, type Hub } from '../lib/port/hub.ts';
import { openExchange } from '../lib/transport/exchange/open-exchange.ts';
import { createSlots } from '../lib/transport/exchange/slots.ts';

export default defineBackground(() => {
  // Both browsers deliver events only to listeners that are there in the first tick of the worker.
  const http = openHttpDoor();
  let isReplaced = false;
  browser.runtime.onInstalled.addListener(({ reason }) => (isReplaced = reason === 'update'));
  const updates = putUpdatesOff(() => hub.isAlone());
  const opened = open(
    http,
    () => hub,
    () => isReplaced,
    updates,
  );
  const hub = createHub(opened);
  browser.runtime.onConnect.addListener((port) => {
    hub.attach(port);
    if (updates) port.onDisconnect.addListener(updates.apply);
  });
  listenForReviver();
  announceLateScripts();
  watchPermissions(
    () => void opened.then(({ manager }) => manager.permissionsAdded()),
    () => void opened.then(({ manager }) => manager.permissionsRemoved()),
  );
});

async function open(
  http: ReturnType<typeof openHttpDoor>,
  hub: () => Hub,
  wasReplaced: () => boolean,
  updates: ReturnType<typeof putUpdatesOff>,
) {
  const bootId = crypto.randomUUID().slice(0, 6);
  const log = await openBrowserLog(
    bootId,
    {
      committed: (events, isStored) => hub().publish(events, isStored),
      queueChanged: (connectionId, sizeBytes) => hub().publishQueue(connectionId, sizeBytes),
    },
    wasReplaced,
  );
  const { recorder, secrets } = log;
  const originRules = createOriginRules();
  await originRules.reset();
  let count = 0;
  const newId = () => `${bootId}-${(count += 1)}`;
  const slots = createSlots();
  const permissions = {
    hostPattern: (url: string) => hostPattern(url) ?? url,
    hasPermission: hasHost,
  };
  const authorizing = createLateAuthorizing(async (profiles) => {
    const openAuthorizing = await loadLate('authorization');
    return openAuthorizing({
      doors: permissions,
      http,
      recorder,
      secrets,
      slots,
      openExchange,
      timeLimit,
      profiles,
      newId,
      now: Date.now,
      changed: manager.changed,
    });
  });
  const keepAlive = createKeepAlive();
  const watchTime = createTimeWatch({
    networkChanged: (isOnline) => manager.networkChanged(isOnline),
    woke: (aheadMs) => manager.woke(aheadMs),
    clockSetBack: (byMs) => manager.clockSetBack(byMs),
  });
  const manager = createManager({
    doors: {
      http,
      socket: openSocketDoor(),
      ...permissions,
      keepAlive(isOn) {
        keepAlive(isOn);
        watchTime(isOn);
        updates?.setBusy(isOn);
      },
      // Chrome's prompt closes the popup that asked: without it, nothing would show what comes of the answer.
      wishGranted: () => {
        if (hub().isAlone()) showPopup();
      },
      ...originRules,
      ...sessionWishes,
    },
    recorder,
    secrets,
    recents: createRecentServers(localRecentServers, Date.now),
    eras: createEraCache(localEras, Date.now),
    slots,
    authorizing,
    loadAccess: async () => (await loadLate('report')).createAccess,
    loadReports: async () => (await loadLate('report')).createReports,
    loadRaw: () => loadLate('raw'),
    loadFaults: () => loadLate('faults'),
    clientVersion: browser.runtime.getManifest().version,
    newId,
    now: Date.now,
    changed: (list) => hub().publishConnections(list),
  });
  if (await hasCredentials()) await authorizing.ready();
  log.keep(manager.checkpoint);
  await manager.restore(log.checkpoint, await awayMs());
  if (log.cutOff !== undefined) {
    const { tellCutOff } = await loadLate('report');
    tellCutOff(log.cutOff, { recorder, now: Date.now, end: manager.end });
  }
  return {
    recorder,
    manager,
    functions: {
      ...manager.functions,
      ...log.functions,
      update: async () => browser.runtime.reload(),
    },
  };
}
