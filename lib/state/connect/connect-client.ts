import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { parseJson } from '../../json/parse.ts';
import type { ConnectRequest } from '../../port/contract.ts';
import type { PlayedClient } from '../../port/send-contract.ts';
import { jsonFault } from '../detail/json-text.ts';

/** A client whose habits are known. */
export type ClientName = 'wirescope' | 'typescript' | 'python' | 'kotlin' | 'own';

/** How the next connection introduces itself, as typed. */
export interface ClientOptions {
  name: Signal<string>;
  version: Signal<string>;
  /** JSON of what is declared; empty for what can be answered here. */
  capabilities: Signal<string>;
  /** Names of headers that are not sent, with commas between. */
  omit: Signal<string>;
  /** What it accepts, with every request; empty for what each one needs. */
  accept: Signal<string>;
  leavesSession: Signal<boolean>;
  /** It opens the GET stream only in a session. */
  streamNeedsSession: Signal<boolean>;
  /** What was chosen last; `own` once anything is changed by hand. */
  chosen: ReadonlySignal<ClientName>;
  /** What is not played of its habits, and what is. */
  note: ReadonlySignal<string>;
  faults: ReadonlySignal<Partial<Record<'client' | 'capabilities' | 'omit' | 'accept', string>>>;
  choose(name: ClientName): void;
  /** Undefined where nobody is played. */
  toClient(): PlayedClient | undefined;
}

/** The other options that belong to the habits of a client. */
export interface HabitTarget {
  transport: Signal<ConnectRequest['transport']>;
  offerRevision: Signal<string>;
  openStream: Signal<boolean>;
  renewSession: Signal<boolean>;
  reconnection: Record<'initialSeconds' | 'maxSeconds' | 'factor' | 'retries', Signal<string>>;
}

interface Habits {
  title: string;
  info: { name: string; version: string };
  capabilities: string;
  omit: string;
  accept: string;
  leavesSession: boolean;
  streamNeedsSession: boolean;
  transport: ConnectRequest['transport'];
  openStream: boolean;
  renewSession: boolean;
  /** First and longest delay in seconds, factor, retries. */
  reconnection: [string, string, string, string];
  note: string;
}

const HOST_DECLARES = 'Declares nothing by itself: what a host adds goes into the capabilities.';
const BROWSER_DECIDES =
  'The order and the case of headers, User-Agent and connections are those of the browser.';

/** The official clients as they come (their sources of August 2026). */
const HABITS: Record<Exclude<ClientName, 'own'>, Habits> = {
  wirescope: {
    title: 'Wirescope',
    info: { name: '', version: '' },
    capabilities: '',
    omit: '',
    accept: '',
    leavesSession: false,
    streamNeedsSession: false,
    transport: 'auto',
    openStream: true,
    renewSession: true,
    reconnection: ['1', '30', '1.5', '2'],
    note: '',
  },
  typescript: {
    title: 'TypeScript SDK 2',
    info: { name: 'typescript-sdk', version: '2.0.0' },
    capabilities: '{}',
    omit: '',
    accept: '',
    leavesSession: true,
    streamNeedsSession: false,
    transport: 'streamable-http',
    openStream: true,
    renewSession: false,
    reconnection: ['1', '30', '1.5', '2'],
    note: `Begins with initialize, and never asks for 2026-07-28 by itself. A session that is gone stays gone, and one that is left is not ended. ${HOST_DECLARES} ${BROWSER_DECIDES}`,
  },
  python: {
    title: 'Python SDK 2',
    info: { name: 'mcp', version: '0.1.0' },
    capabilities: '{}',
    omit: '',
    accept: '',
    leavesSession: false,
    streamNeedsSession: true,
    transport: 'auto',
    openStream: true,
    renewSession: false,
    reconnection: ['1', '1', '1', '2'],
    note: `Begins with server/discover and falls back to initialize. Waits one second before each of two attempts. It opens the GET stream only in a session, and ends that when it leaves. It repeats a 403 once: that is not played. ${HOST_DECLARES} ${BROWSER_DECIDES}`,
  },
  kotlin: {
    title: 'Kotlin SDK 0.14',
    info: { name: 'kotlin-sdk', version: '0.14.0' },
    capabilities: '{}',
    omit: 'MCP-Protocol-Version',
    accept: 'application/json, text/event-stream',
    leavesSession: true,
    streamNeedsSession: false,
    transport: 'streamable-http',
    openStream: true,
    renewSession: false,
    reconnection: ['1', '30', '1.5', '1'],
    note: `Begins with initialize and sends no MCP-Protocol-Version afterwards. One retry: the first attempt counts. Accepts JSON on the GET stream too, and ends no session. It takes a session id from any answer: that is not played. ${HOST_DECLARES} ${BROWSER_DECIDES}`,
  },
};

/** What can be chosen, with titles. */
export const CLIENT_CHOICES: readonly (readonly [ClientName, string])[] = [
  ...Object.entries(HABITS).map(([name, { title }]) => [name as ClientName, title] as const),
  ['own', 'Another one, as typed'],
];

const OFFERED = '2025-11-25';

/** Creates the choice; choosing a client sets all its habits, and each can be changed. */
export function createClientOptions(
  target: () => HabitTarget,
  played: PlayedClient | undefined,
): ClientOptions {
  const name = signal(played?.info.name ?? '');
  const version = signal(played?.info.version ?? '');
  const declared = played?.capabilities;
  const capabilities = signal(declared === undefined ? '' : JSON.stringify(declared));
  const omit = signal(played?.omit.join(', ') ?? '');
  const accept = signal(played?.accept ?? '');
  const leavesSession = signal(played?.leavesSession === true);
  const streamNeedsSession = signal(played?.streamNeedsSession === true);
  const wanted = signal<ClientName>(nameOf(played));

  const chosen = computed((): ClientName => {
    if (wanted.value === 'own') return 'own';
    const habits = HABITS[wanted.value];
    const isAsSet =
      name.value === habits.info.name &&
      version.value === habits.info.version &&
      capabilities.value === habits.capabilities &&
      omit.value === habits.omit &&
      accept.value === habits.accept &&
      leavesSession.value === habits.leavesSession &&
      streamNeedsSession.value === habits.streamNeedsSession;
    return isAsSet ? wanted.value : 'own';
  });

  const omitted = computed(() =>
    omit.value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  );

  const faults = computed(() => {
    const isNamed = name.value.trim() !== '' && version.value.trim() !== '';
    const isPlayed = name.value !== '' || version.value !== '';
    return {
      ...(isPlayed && !isNamed ? { client: 'A client has a name and a version.' } : {}),
      ...capabilitiesFault(capabilities.value),
      ...(omitted.value.every((each) => /^[\w!#$%&'*+.^`|~-]+$/.test(each))
        ? {}
        : { omit: 'Names of headers are letters, digits and hyphens, with commas between.' }),
      ...(/^[\t\x20-\x7E]*$/.test(accept.value)
        ? {}
        : { accept: 'Types are ASCII, such as application/json, text/event-stream.' }),
    };
  });

  return {
    name,
    version,
    capabilities,
    omit,
    accept,
    leavesSession,
    streamNeedsSession,
    chosen,
    note: computed(() => (chosen.value === 'own' ? '' : HABITS[chosen.value].note)),
    faults,
    choose(next) {
      wanted.value = next;
      if (next === 'own') return;
      const habits = HABITS[next];
      name.value = habits.info.name;
      version.value = habits.info.version;
      capabilities.value = habits.capabilities;
      omit.value = habits.omit;
      accept.value = habits.accept;
      leavesSession.value = habits.leavesSession;
      streamNeedsSession.value = habits.streamNeedsSession;
      const others = target();
      others.transport.value = habits.transport;
      others.offerRevision.value = OFFERED;
      others.openStream.value = habits.openStream;
      others.renewSession.value = habits.renewSession;
      const [initial, max, factor, retries] = habits.reconnection;
      others.reconnection.initialSeconds.value = initial;
      others.reconnection.maxSeconds.value = max;
      others.reconnection.factor.value = factor;
      others.reconnection.retries.value = retries;
    },
    toClient() {
      const declared = capabilities.value.trim();
      const accepted = accept.value.trim();
      const habits = {
        ...(accepted === '' ? {} : { accept: accepted }),
        ...(leavesSession.value ? { leavesSession: true as const } : {}),
        ...(streamNeedsSession.value ? { streamNeedsSession: true as const } : {}),
      };
      const isSilent = name.value.trim() === '' && declared === '' && omitted.value.length === 0;
      const isNobody = isSilent && Object.keys(habits).length === 0;
      if (isNobody) return undefined;
      const info = { name: name.value.trim() || 'wirescope', version: version.value.trim() || '0' };
      return {
        info,
        ...(declared === ''
          ? {}
          : { capabilities: JSON.parse(declared) as Record<string, unknown> }),
        omit: omitted.value,
        ...habits,
      };
    },
  };
}

/** Whose habits these are, by the name that is given. */
function nameOf(played: PlayedClient | undefined): ClientName {
  if (played === undefined) return 'wirescope';
  const found = Object.entries(HABITS).find(([, { info }]) => info.name === played.info.name);
  return found === undefined ? 'own' : (found[0] as ClientName);
}

function capabilitiesFault(text: string): { capabilities?: string } {
  if (text.trim() === '') return {};
  const broken = jsonFault(text);
  if (broken !== undefined) return { capabilities: `Not JSON at ${broken}` };
  const parsed = parseJson(text);
  return parsed.ok && parsed.root.kind === 'object'
    ? {}
    : { capabilities: 'Capabilities are a JSON object.' };
}
