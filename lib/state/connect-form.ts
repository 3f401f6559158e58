import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { TransportKind } from '../capture/stored-profile.ts';
import type { ConnectRequest, ProfileHeader, RecentServer } from '../port/contract.ts';

/** Where a page has more to choose than the URL: what was chosen, and what is wrong with it. */
export interface FormOptions {
  /** By field, in words. */
  faults: ReadonlySignal<Record<string, string>>;
  /** To be called only while there are no faults. */
  toOptions(): Omit<ConnectRequest, 'url' | 'headers'>;
  /** Begins anew with other defaults. */
  begin?(defaults: Omit<ConnectRequest, 'url'>): void;
}

/** What the user has typed so far, as typed. */
export interface ConnectForm {
  url: Signal<string>;
  headers: ReadonlySignal<readonly ProfileHeader[]>;
  /** Why the form cannot be sent yet, by field. */
  faults: ReadonlySignal<Record<string, string>>;
  /** Adds an empty header, or one that is filled in as far as it is given. */
  addHeader(header?: Partial<ProfileHeader>): void;
  changeHeader(index: number, change: Partial<ProfileHeader>): void;
  removeHeader(index: number): void;
  /** Fills in what is known of a server that was connected before. */
  use(server: Pick<RecentServer, 'url' | 'headers' | 'options'>): void;
  /** Takes other defaults from now on. */
  begin(defaults: Omit<ConnectRequest, 'url'>): void;
  /** The request, or undefined while `faults` has any. Headers without a name are left out. */
  toRequest(): ConnectRequest | undefined;
}

/** The transport that the scheme of a URL leaves no choice about. */
export function forcedTransport(url: string): TransportKind | undefined {
  return /^\s*wss?:/i.test(url) ? 'websocket' : undefined;
}

/** Creates the form; without `options` every choice is the default. */
export function createConnectForm(
  defaults: Omit<ConnectRequest, 'url'>,
  url: Signal<string>,
  options?: FormOptions,
): ConnectForm {
  const headers = signal<readonly ProfileHeader[]>(defaults.headers);
  let known = defaults;
  let begun = defaults;

  function begin(next: Omit<ConnectRequest, 'url'>): void {
    begun = next;
    options?.begin?.(next);
  }

  const faults = computed<Record<string, string>>(() => ({
    ...(url.value.trim() === '' ? { url: 'Type the URL of an MCP endpoint.' } : {}),
    ...options?.faults.value,
  }));

  return {
    url,
    headers,
    faults,
    addHeader(header) {
      headers.value = [...headers.value, { name: '', value: '', secret: false, ...header }];
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
      begin({ ...known, ...server.options });
    },
    begin(next) {
      known = next;
      begin(next);
    },
    toRequest() {
      if (Object.keys(faults.value).length > 0) return undefined;
      const chosen = options?.toOptions() ?? begun;
      return {
        ...chosen,
        url: url.value.trim(),
        transport: forcedTransport(url.value) ?? chosen.transport,
        headers: headers.value.filter((header) => header.name.trim() !== ''),
      };
    },
  };
}
