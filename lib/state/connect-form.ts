import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { ConnectRequest, ProfileHeader, RecentServer } from '../port/contract.ts';

/** What the user has typed so far, as typed. */
export interface ConnectForm {
  url: Signal<string>;
  headers: ReadonlySignal<readonly ProfileHeader[]>;
  limitMib: Signal<string>;
  idleSeconds: Signal<string>;
  openStream: Signal<boolean>;
  /** Why the form cannot be sent yet, by field. */
  faults: ReadonlySignal<{ url?: string; limit?: string; idle?: string }>;
  addHeader(): void;
  changeHeader(index: number, change: Partial<ProfileHeader>): void;
  removeHeader(index: number): void;
  /** Fills URL and headers from a server that was connected before. */
  use(server: RecentServer): void;
  /** The request, or undefined while `faults` has any. Headers without a name are left out. */
  toRequest(): ConnectRequest | undefined;
}

const MIB = 1024 * 1024;

function positive(text: string): number | undefined {
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Creates the form with its defaults. */
export function createConnectForm(defaults: Omit<ConnectRequest, 'url'>): ConnectForm {
  const url = signal('');
  const headers = signal<readonly ProfileHeader[]>(defaults.headers);
  const limitMib = signal(String(defaults.messageLimitBytes / MIB));
  const idleSeconds = signal(String(defaults.idleTimeoutMs / 1000));
  const openStream = signal(defaults.openStream);
  const faults = computed(() => ({
    ...(url.value.trim() === '' ? { url: 'Type the URL of an MCP endpoint.' } : {}),
    ...(positive(limitMib.value) === undefined
      ? { limit: 'The size limit must be a number of MiB above 0.' }
      : {}),
    ...(positive(idleSeconds.value) === undefined
      ? { idle: 'The idle timeout must be a number of seconds above 0.' }
      : {}),
  }));

  return {
    url,
    headers,
    limitMib,
    idleSeconds,
    openStream,
    faults,
    addHeader() {
      headers.value = [...headers.value, { name: '', value: '', secret: false }];
    },
    changeHeader(index, change) {
      headers.value = headers.value.map((header, at) =>
        at === index ? { ...header, ...change } : header,
      );
    },
    removeHeader(index) {
      headers.value = headers.value.filter((_, at) => at !== index);
    },
    use(server) {
      url.value = server.url;
      headers.value = server.headers.map((header) => ({ ...header }));
    },
    toRequest() {
      const limit = positive(limitMib.value);
      const idle = positive(idleSeconds.value);
      if (url.value.trim() === '' || limit === undefined || idle === undefined) return undefined;
      return {
        ...defaults,
        url: url.value.trim(),
        headers: headers.value.filter((header) => header.name.trim() !== ''),
        messageLimitBytes: Math.round(limit * MIB),
        idleTimeoutMs: Math.round(idle * 1000),
        openStream: openStream.value,
      };
    },
  };
}
