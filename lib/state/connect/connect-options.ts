import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { OriginPolicy } from '../../capture/store/stored-profile.ts';
import type { TransportChoice } from '../../capture/store/stored-profile.ts';
import type { ConnectRequest, Reconnection } from '../../port/contract.ts';
import { NEWEST_LEGACY_REVISION } from '../../protocol/revisions.ts';
import { createAnswerOptions } from '../answers/answer-options.ts';
import type { AnswerOptions } from '../answers/answer-options.ts';
import type { AuthOptionName } from '../auth/auth-option-faults.ts';
import { createAuthOptions } from '../auth/auth-options.ts';
import type { AuthOptions } from '../auth/auth-options.ts';
import { createClientOptions } from './connect-client.ts';
import type { ClientOptions } from './connect-client.ts';
import { forcedTransport } from './connect-form.ts';
import type { OptionsDesk } from './options-desk.ts';
import type { FormOptions } from './connect-form.ts';

const MIB = 1024 * 1024;

/** Fields that can be wrong. */
export type OptionName =
  | 'transport'
  | 'limit'
  | 'idle'
  | 'initialDelay'
  | 'maxDelay'
  | 'factor'
  | 'retries'
  | 'session'
  | 'origin'
  | 'roots'
  | 'client'
  | 'capabilities'
  | 'omit'
  | 'accept';

/** Everything about the next connection that has a good default, as typed. */
export interface ConnectOptions extends FormOptions {
  transport: Signal<TransportChoice>;
  /** What `initialize` offers. */
  offerRevision: Signal<string>;
  limitMib: Signal<string>;
  idleSeconds: Signal<string>;
  openStream: Signal<boolean>;
  renewSession: Signal<boolean>;
  reconnection: {
    initialSeconds: Signal<string>;
    maxSeconds: Signal<string>;
    factor: Signal<string>;
    retries: Signal<string>;
  };
  /** Empty id: a session of its own. */
  session: { id: Signal<string>; revision: Signal<string> };
  origin: { kind: Signal<OriginPolicy['kind']>; value: Signal<string> };
  cookies: Signal<boolean>;
  answers: AnswerOptions;
  auth: AuthOptions;
  client: ClientOptions;
  faults: ReadonlySignal<Partial<Record<OptionName | AuthOptionName, string>>>;
}

/** The fields of the options of a panel, created where nobody has opened them before. */
export function fieldsOf(
  desk: OptionsDesk<ConnectOptions>,
  url: ReadonlySignal<string>,
): ConnectOptions {
  const known = desk.fields.peek();
  if (known !== undefined) return known;
  const fields = createConnectOptions(desk.defaults, url, desk.transport);
  desk.fields.value = fields;
  return fields;
}

/** Creates the options with their defaults. `url` decides the transport where its scheme does. */
export function createConnectOptions(
  defaults: Omit<ConnectRequest, 'url'>,
  url: ReadonlySignal<string>,
  transport = signal<TransportChoice>(defaults.transport),
): ConnectOptions {
  const offerRevision = signal<string>(defaults.offerRevision ?? NEWEST_LEGACY_REVISION);
  const limitMib = signal(String(defaults.messageLimitBytes / MIB));
  const idleSeconds = signal(String(defaults.idleTimeoutMs / 1000));
  const openStream = signal(defaults.openStream);
  const renewSession = signal(defaults.renewSession);
  const { initialDelayMs, maxDelayMs, factor, retries } = defaults.reconnection;
  const reconnection = {
    initialSeconds: signal(String(initialDelayMs / 1000)),
    maxSeconds: signal(String(maxDelayMs / 1000)),
    factor: signal(String(factor)),
    retries: signal(String(retries)),
  };
  const session = { id: signal(''), revision: signal<string>(NEWEST_LEGACY_REVISION) };
  const { originPolicy } = defaults;
  const origin = {
    kind: signal<OriginPolicy['kind']>(originPolicy.kind),
    value: signal(originPolicy.kind === 'value' ? originPolicy.value : ''),
  };
  const cookies = signal(defaults.cookies === true);
  const answers = createAnswerOptions(defaults.answers);
  const auth = createAuthOptions(defaults.auth);

  const client = createClientOptions(
    () => ({ transport, offerRevision, openStream, renewSession, reconnection }),
    defaults.client,
  );

  const faults = computed(() => {
    const { initialSeconds, maxSeconds } = reconnection;
    const initial = toNumber(initialSeconds.value);
    const max = toNumber(maxSeconds.value);
    const forced = forcedTransport(url.value);
    const chosen = forced ?? transport.value;
    const checks: Record<OptionName, string | undefined> = {
      transport: fault(
        chosen !== 'websocket' || forced !== undefined || url.value.trim() === '',
        'A WebSocket server has a URL that begins with ws:// or wss://.',
      ),
      limit: fault(toNumber(limitMib.value) > 0, 'The size limit must be a number of MiB above 0.'),
      idle: fault(
        toNumber(idleSeconds.value) > 0,
        'The idle timeout must be a number of seconds above 0.',
      ),
      initialDelay: fault(initial >= 0, 'The first delay must be a number of seconds, 0 or more.'),
      maxDelay: fault(max >= initial, 'The longest delay must not be shorter than the first one.'),
      factor: fault(toNumber(reconnection.factor.value) >= 1, 'The factor must be 1 or more.'),
      retries: fault(
        /^\d{1,6}$/.test(reconnection.retries.value.trim()),
        'The number of retries must be a whole number; 0 means none.',
      ),
      session: sessionFault(session.id.value.trim(), chosen),
      origin: fault(
        origin.kind.value !== 'value' || /^[\x21-\x7E]+$/.test(origin.value.value.trim()),
        'Give an origin such as https://example.com, or choose another one.',
      ),
      roots: answers.fault.value,
      client: undefined,
      capabilities: undefined,
      omit: undefined,
      accept: undefined,
      ...client.faults.value,
    };
    return Object.fromEntries(
      Object.entries({ ...checks, ...auth.faults.value }).filter(
        ([, words]) => words !== undefined,
      ),
    ) as Partial<Record<OptionName | AuthOptionName, string>>;
  });

  function toReconnection(): Reconnection {
    return {
      initialDelayMs: Math.round(toNumber(reconnection.initialSeconds.value) * 1000),
      maxDelayMs: Math.round(toNumber(reconnection.maxSeconds.value) * 1000),
      factor: toNumber(reconnection.factor.value),
      retries: toNumber(reconnection.retries.value),
    };
  }

  return {
    transport,
    offerRevision,
    limitMib,
    idleSeconds,
    openStream,
    renewSession,
    reconnection,
    session,
    origin,
    cookies,
    answers,
    auth,
    client,
    faults,
    toOptions() {
      const id = session.id.value.trim();
      const offered = offerRevision.value;
      const settings = auth.toSettings();
      const played = client.toClient();
      return {
        transport: transport.value,
        ...(offered === NEWEST_LEGACY_REVISION ? {} : { offerRevision: offered }),
        messageLimitBytes: Math.round(toNumber(limitMib.value) * MIB),
        idleTimeoutMs: Math.round(toNumber(idleSeconds.value) * 1000),
        openStream: openStream.value,
        renewSession: renewSession.value,
        reconnection: toReconnection(),
        originPolicy: toOriginPolicy(origin.kind.value, origin.value.value),
        ...(cookies.value ? { cookies: true } : {}),
        answers: answers.toPolicies(),
        ...(settings === undefined ? {} : { auth: settings }),
        ...(played === undefined ? {} : { client: played }),
        ...(id === '' ? {} : { attach: { session: id, revision: session.revision.value } }),
      };
    },
  };
}

function toOriginPolicy(kind: OriginPolicy['kind'], value: string): OriginPolicy {
  return kind === 'value' ? { kind, value: value.trim() } : { kind };
}

/** "Visible ASCII characters" (basic/transports, "Session Management"). */
function sessionFault(id: string, transport: TransportChoice): string | undefined {
  if (id === '') return undefined;
  if (transport === 'modern') return 'Revision 2026-07-28 has no sessions.';
  if (transport !== 'streamable-http' && transport !== 'auto') {
    return 'Only Streamable HTTP can go on in an existing session.';
  }
  return fault(/^[\x21-\x7E]+$/.test(id), 'A session id has only visible ASCII characters.');
}

function fault(isMet: boolean, words: string): string | undefined {
  return isMet ? undefined : words;
}

/** NaN where the text is no finite number: every comparison with it fails. */
function toNumber(text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : NaN;
}
