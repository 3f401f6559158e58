import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { TransportKind } from '../../capture/store/stored-profile.ts';
import type { ConnectRequest, ProfileHeader, RecentServer } from '../../port/contract.ts';
import { notKept, type NotKept } from './incomplete.ts';

/** Names of headers that give their values away as secrets. */
const TELLING = /token|secret|passw|authori|cookie|(api|access|subscription|private)-?key/i;

/** Where a page has more to choose than the URL: what was chosen, and what is wrong with it. */
export interface FormOptions {
  /** By field, in words. */
  faults: ReadonlySignal<Record<string, string>>;
  /** To be called only while there are no faults. */
  toOptions(): Omit<ConnectRequest, 'url' | 'headers'>;
  /** Begins anew with other defaults. */
  begin?(defaults: Omit<ConnectRequest, 'url'>): void;
  /** Something of a server that was taken up has to be typed again. */
  ask?(): void;
}

/** What the user has typed so far, as typed. */
export interface ConnectForm {
  url: Signal<string>;
  headers: ReadonlySignal<readonly ProfileHeader[]>;
  /** Secrets that were not kept with the server that was taken up. */
  asked: ReadonlySignal<readonly NotKept[]>;
  /** Everything but URL and headers, where no options say otherwise. */
  begun: Signal<Omit<ConnectRequest, 'url'>>;
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
  const begun = signal(defaults);
  const asked = signal<readonly NotKept[]>([]);

  function begin(next: Omit<ConnectRequest, 'url'>): void {
    begun.value = next;
    options?.begin?.(next);
  }

  const missing = computed(() =>
    notKept({
      headers: headers.value.filter((header) =>
        asked.value.some(({ kind, name }) => kind === 'header' && name === header.name),
      ),
      // Where there are options, they have a field for each.
      options: options === undefined ? begun.value : {},
    }),
  );

  const faults = computed<Record<string, string>>(() => ({
    ...(url.value.trim() === '' ? { url: 'Type the URL of an MCP endpoint.' } : {}),
    ...(missing.value.length > 0 ? { secrets: 'Type the secrets that were not kept.' } : {}),
    ...options?.faults.value,
  }));

  return {
    url,
    headers,
    asked,
    begun,
    faults,
    addHeader(header) {
      headers.value = [...headers.value, { name: '', value: '', secret: false, ...header }];
    },
    changeHeader(index, change) {
      // Who types the name of a secret should not have to say so; it can be taken back.
      const isTold = TELLING.test(change.name ?? '') ? { secret: true } : {};
      headers.value = headers.value.map((header, at) =>
        at === index ? { ...header, ...isTold, ...change } : header,
      );
    },
    removeHeader(index) {
      headers.value = headers.value.filter((_, at) => at !== index);
    },
    use(server) {
      url.value = server.url;
      headers.value = server.headers.map((header) => ({ ...header }));
      asked.value = notKept(server);
      begin({ ...known, ...server.options });
      if (asked.value.length > 0) options?.ask?.();
    },
    begin(next) {
      known = next;
      begin(next);
    },
    toRequest() {
      if (Object.keys(faults.value).length > 0) return undefined;
      const chosen = options?.toOptions() ?? begun.peek();
      return {
        ...chosen,
        url: url.value.trim(),
        transport: forcedTransport(url.value) ?? chosen.transport,
        headers: headers.value.filter((header) => header.name.trim() !== ''),
      };
    },
  };
}
