import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { StoredBytes } from '../../capture/store/stored-text.ts';
import type { Problem } from '../../errors.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../../port/contract.ts';
import type { ClientMethod } from '../../protocol/request-methods.ts';
import type { TextProblem } from './composer-check.ts';
import type { ComposerMode, Draft, DraftHeader, RecordedDraft } from './composer-draft.ts';
import type { FrameForm } from './composer-frame.ts';
import type { Composition } from './composer-send.ts';
import type { Replay } from '../replay/replay.ts';
import type { ReplaySource } from '../replay/replay-plan.ts';

/** What is being written, to be sent. */
export interface Composer {
  mode: Signal<ComposerMode>;
  /** Connection to send on: the chosen one while it lives, else the newest. */
  connection: ReadonlySignal<ConnectionSummary | undefined>;
  /** Connections that can send. */
  choices: ReadonlySignal<readonly ConnectionSummary[]>;
  choose(connectionId: string): void;
  /** A whole HTTP request can go without any. */
  isAlone: Signal<boolean>;
  method: ReadonlySignal<string>;
  /** Sets the method; offers a template where there are no params yet. */
  setMethod(method: string): void;
  methods: ReadonlySignal<readonly ClientMethod[]>;
  /** What is known about the method in this revision. */
  about: ReadonlySignal<ClientMethod | undefined>;
  /** Raw JSON exactly as typed; empty means no params. */
  paramsText: Signal<string>;
  /** For this request only; they win over all others. */
  headers: Signal<readonly DraftHeader[]>;
  /** Empty: the connection's. */
  timeoutSeconds: Signal<string>;
  /** A call may become a task. */
  asTask: Signal<boolean>;
  /** Each request gets a trace context of its own. */
  isTraced: Signal<boolean>;
  /** Of log messages, for modern servers with each request; empty for none. */
  logLevel: Signal<string>;
  text: Signal<string>;
  /** How the text stands for a frame of a WebSocket. */
  frame: ReadonlySignal<FrameForm>;
  /** Writes the same frame in another form. */
  setFrame(form: FrameForm): void;
  verb: Signal<string>;
  url: Signal<string>;
  httpHeaders: Signal<readonly DraftHeader[]>;
  body: Signal<string>;
  /** A recorded body that is no text; it is sent as it was. */
  bytes: ReadonlySignal<StoredBytes | undefined>;
  dropBytes(): void;
  /** What this is a replay of. */
  origin: ReadonlySignal<RecordedDraft['origin'] | undefined>;
  dropOrigin(): void;
  /** What is wrong with the text of the mode. */
  problemsOf(text: string): TextProblem[];
  /** What is not there yet, in a sentence: no mistake. */
  lack: ReadonlySignal<string | undefined>;
  /** Why it cannot be sent, in a sentence. */
  fault: ReadonlySignal<string | undefined>;
  /** What may not be meant, in sentences; it is sent all the same. */
  warnings: ReadonlySignal<readonly string[]>;
  problem: ReadonlySignal<Problem | undefined>;
  /** What is there now, to be kept. */
  draft(): Draft;
  fill(draft: Draft | RecordedDraft): void;
  send(): void;
}

export interface ComposerParts {
  background: Pick<BackgroundFunctions, 'send' | 'sendRaw' | 'reveal'>;
  connections: ReadonlySignal<readonly ConnectionSummary[]>;
  source: () => ReplaySource;
  replay: Pick<Replay, 'ask'>;
  /** Hears of everything that is on its way, with its JSON-RPC id where it can be cancelled by that. */
  sent(composition: Composition, carrierId: string, rpcId: string | undefined): void;
}
