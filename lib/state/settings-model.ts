import { batch, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../errors.ts';
import type { BackgroundFunctions, ConnectRequest, RecentServer } from '../port/contract.ts';
import type { PassedOver } from '../profiles/client-config.ts';
import { readServersFile, writeServersFile } from '../profiles/servers-file.ts';
import type { SavedSettings, SettingsStore } from '../profiles/settings.ts';
import { formatCount } from '../text.ts';
import { createConnectOptions, type ConnectOptions } from './connect/connect-options.ts';
import { readProblem } from './captures/read-problem.ts';

/** What the settings work with. */
export interface SettingsDesk {
  store: SettingsStore;
  background: Pick<BackgroundFunctions, 'recentServers' | 'forgetServer' | 'keepServers'>;
  /** What connections come with. */
  defaults: Omit<ConnectRequest, 'url'>;
}

export type ThemeChoice = 'automatic' | 'light' | 'dark';

/** What came of the last thing that was done. */
export interface SettingsOutcome {
  text: string;
  /** What was not taken from a file, or is still to be filled in. */
  details: readonly PassedOver[];
}

export interface SettingsModel {
  theme: ReadonlySignal<ThemeChoice>;
  setTheme(theme: ThemeChoice): Promise<void>;
  /** What new connections begin with, as typed. Absent until it was read. */
  options: ReadonlySignal<ConnectOptions | undefined>;
  /** To be called only while the options have no faults. */
  saveOptions(): Promise<void>;
  servers: ReadonlySignal<readonly RecentServer[]>;
  forget(url: string): Promise<void>;
  forgetAll(): Promise<void>;
  /** Takes the servers of a file: one of ours, or the configuration of another client. */
  importText(text: string): Promise<void>;
  exportText(): string;
  /** Everything is as it comes; servers, captures and tokens stay. */
  reset(): Promise<void>;
  outcome: ReadonlySignal<SettingsOutcome | undefined>;
  problem: ReadonlySignal<Problem | undefined>;
  refresh(): Promise<void>;
}

/** Settings and saved servers; whatever fails ends in `problem`. */
export function createSettingsModel({ store, background, defaults }: SettingsDesk): SettingsModel {
  const saved = signal<SavedSettings>({});
  const theme = signal<ThemeChoice>('automatic');
  const options = signal<ConnectOptions>();
  const servers = signal<readonly RecentServer[]>([]);
  const outcome = signal<SettingsOutcome>();
  const problem = signal<Problem>();

  async function doing(carryOut: () => Promise<string | SettingsOutcome | undefined>) {
    try {
      const said = await carryOut();
      const list = await background.recentServers();
      batch(() => {
        servers.value = list;
        problem.value = undefined;
        outcome.value = typeof said === 'string' ? { text: said, details: [] } : said;
      });
    } catch (error) {
      batch(() => {
        outcome.value = undefined;
        problem.value = readProblem(error);
      });
    }
  }

  function show(settings: SavedSettings): void {
    saved.value = settings;
    theme.value = settings.theme ?? 'automatic';
    options.value = createConnectOptions({ ...defaults, ...settings.connect }, signal(''));
  }

  async function save(settings: SavedSettings): Promise<void> {
    await store.save(settings);
    saved.value = settings;
  }

  return {
    theme,
    options,
    servers,
    outcome,
    problem,
    refresh: () =>
      doing(async () => {
        show(await store.load());
        return undefined;
      }),
    setTheme: (chosen) =>
      doing(async () => {
        const { theme: _, ...others } = saved.value;
        theme.value = chosen;
        await save(chosen === 'automatic' ? others : { ...others, theme: chosen });
        return undefined;
      }),
    saveOptions: () =>
      doing(async () => {
        const typed = options.peek()?.toOptions();
        if (typed === undefined) return undefined;
        const { attach: _attach, probeAgain: _again, auth: _auth, cookies: _, ...connect } = typed;
        await save({ ...saved.value, connect });
        return 'New connections begin with this.';
      }),
    forget: (url) =>
      doing(async () => {
        await background.forgetServer(url);
        return `${url} is forgotten.`;
      }),
    forgetAll: () =>
      doing(async () => {
        for (const { url } of servers.value) await background.forgetServer(url);
        return 'All servers are forgotten.';
      }),
    importText: (text) =>
      doing(async () => {
        const file = readServersFile(text);
        await background.keepServers(file.servers);
        const passed = file.passedOver.length;
        return {
          text: `${formatCount(file.servers.length, 'server')} imported${passed === 0 ? '.' : `, ${passed} passed over.`}`,
          details: [...file.passedOver, ...file.notes],
        };
      }),
    exportText: () => writeServersFile(servers.value),
    reset: () =>
      doing(async () => {
        await save({});
        show({});
        return 'All settings are as they come.';
      }),
  };
}
