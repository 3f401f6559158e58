import type { ServerOptions } from '../port/contract.ts';
import { isObject } from './json-object.ts';

/** What the user has set for all pages and all connections. Absent means that it is as it comes. */
export interface SavedSettings {
  /** Otherwise as DevTools or the system has it. */
  theme?: 'light' | 'dark';
  /** What new connections begin with, where it is not what they come with. */
  connect?: Partial<ServerOptions>;
}

/** Where settings are kept: on disk, so without secret values. */
export interface SettingsStore {
  /** Never rejects: what cannot be read is as it comes. */
  load(): Promise<SavedSettings>;
  save(settings: SavedSettings): Promise<void>;
  /** Calls back when a page has saved. */
  onChange(listener: (settings: SavedSettings) => void): void;
}

/** What stands in storage as far as it is settings. */
export function readSettings(found: unknown): SavedSettings {
  if (!isObject(found)) return {};
  const { theme, connect } = found;
  return {
    ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
    ...(isObject(connect) ? { connect } : {}),
  };
}
