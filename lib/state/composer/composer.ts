import { batch, computed, effect, signal } from '@preact/signals-core';
import type { Problem } from '../../errors.ts';
import type { StoredBytes } from '../../capture/store/stored-text.ts';
import { clientMethods } from '../../protocol/request-methods.ts';
import { jsonProblems, paramProblems, requestWarnings } from './composer-check.ts';
import type { TextProblem } from './composer-check.ts';
import type { ComposerMode, DraftHeader, RecordedDraft } from './composer-draft.ts';
import { extrasFor, sentWith } from './composer-extras.ts';
import { frameBytes, rewriteFrame, type FrameForm } from './composer-frame.ts';
import { httpFault, isTimeout, named, originOfUrl, timeoutOf } from './composer-fields.ts';
import { mirrorWarnings, ownMirrorWarnings } from './composer-mirror.ts';
import type { Composer, ComposerParts } from './composer-model.ts';
import { prepareSending, type Composition } from './composer-send.ts';
import { templateOf } from './composer-templates.ts';
import { canSend } from '../connect/connection-state.ts';
import { jsonFault } from '../detail/json-text.ts';
import { readProblem } from '../captures/read-problem.ts';

/** Creates the composer over the live connections. */
export function createComposer(parts: ComposerParts): Composer {
  const mode = signal<ComposerMode>('request');
  const method = signal('tools/list');
  const paramsText = signal('');
  const headers = signal<readonly DraftHeader[]>([]);
  const timeoutSeconds = signal('');
  const asTask = signal(false);
  const isTraced = signal(false);
  const logLevel = signal('');
  const text = signal('');
  const frame = signal<FrameForm>('text');
  const verb = signal('POST');
  const url = signal('');
  const httpHeaders = signal<readonly DraftHeader[]>([]);
  const body = signal('');
  const recordedBody = signal<{ bytes: StoredBytes; text: string | undefined } | undefined>(
    undefined,
  );
  const secretOrigin = signal<string | undefined>(undefined);
  const origin = signal<RecordedDraft['origin'] | undefined>(undefined);
  const isAlone = signal(false);
  const chosenId = signal<string | undefined>(undefined);
  const problem = signal<Problem | undefined>(undefined);
  const choices = computed(() => parts.connections.value.filter(canSend));
  const connection = computed(
    () =>
      choices.value.find(({ connectionId }) => connectionId === chosenId.value) ??
      choices.value.at(-1),
  );
  const methods = computed(() => clientMethods(connection.value?.era, connection.value?.revision));
  const about = computed(() => methods.value.find((each) => each.method === method.value.trim()));
  const bytes = computed(() =>
    recordedBody.value?.text === undefined ? recordedBody.value?.bytes : undefined,
  );

  const composition = computed((): Composition => {
    const on = connection.value?.connectionId;
    const target = {
      ...(on === undefined ? {} : { connectionId: on }),
      ...(origin.value === undefined ? {} : { replayOf: origin.value.sequence }),
      ...timeoutOf(timeoutSeconds.value),
    };
    if (mode.value === 'request') {
      const params = paramsText.value.trim() === '' ? undefined : paramsText.value;
      return {
        kind: 'request',
        ...target,
        method: method.value.trim(),
        paramsText: params,
        headers: named(headers.value),
      };
    }
    if (mode.value === 'text') {
      const bytes = isBinary() ? frameBytes(frame.value, text.value) : undefined;
      return typeof bytes === 'object'
        ? { kind: 'binary', ...target, bytes }
        : { kind: 'text', ...target, text: text.value };
    }
    const { connectionId: _on, ...alone } = target;
    const recorded = recordedBody.value;
    const isRecorded = recorded !== undefined && (recorded.text ?? body.value) === body.value;
    return {
      kind: 'http',
      ...(isAlone.value ? alone : target),
      request: {
        method: verb.value.trim().toUpperCase(),
        url: url.value.trim(),
        headers: named(httpHeaders.value),
        ...(secretOrigin.value === undefined ? {} : { origin: secretOrigin.value }),
        ...(isRecorded
          ? { body: { recorded: recorded.bytes } }
          : body.value === ''
            ? {}
            : { body: { text: body.value } }),
      },
    };
  });

  /** Only a WebSocket has frames that are no text. */
  function isBinary(): boolean {
    return frame.value !== 'text' && connection.value?.transport === 'websocket';
  }

  function problemsOf(given: string): TextProblem[] {
    if (mode.value === 'text' && isBinary()) return [];
    if (mode.value === 'request') return paramProblems(given, about.value);
    return jsonProblems(given).map((each) => ({ ...each, severity: 'warning' }));
  }

  const lack = computed(() => {
    const needsConnection = mode.value !== 'http' && connection.value === undefined;
    if (needsConnection) return 'Connect to a server first.';
    if (mode.value === 'text' && text.value === '' && !isBinary()) {
      return 'There is no text to send.';
    }
    const isNameless = mode.value === 'request' && method.value.trim() === '';
    return isNameless ? 'Name the method.' : undefined;
  });

  const fault = computed(() => {
    if (lack.value !== undefined) return lack.value;
    if (!isTimeout(timeoutSeconds.value)) return 'The timeout must be a number of seconds above 0.';
    if (mode.value === 'text') {
      const bytes = isBinary() ? frameBytes(frame.value, text.value) : undefined;
      return typeof bytes === 'string' ? bytes : undefined;
    }
    if (mode.value === 'http') return httpFault(verb.value, url.value);
    const isEmpty = paramsText.value.trim() === '';
    const broken = isEmpty ? undefined : jsonFault(paramsText.value);
    return broken === undefined ? undefined : `Not JSON at ${broken}`;
  });

  function mirrors(): string[] {
    if (connection.value?.era !== 'modern' || fault.value !== undefined) return [];
    const { revision = '' } = connection.value;
    return ownMirrorWarnings(method.value, paramsText.value, named(headers.value), revision);
  }

  const warnings = computed(() => {
    if (mode.value === 'http') return mirrorWarnings(httpHeaders.value, body.value);
    if (mode.value !== 'request') return [];
    return [...requestWarnings(method.value, paramsText.value, about.value), ...mirrors()];
  });

  effect(() => {
    if (mode.value === 'http' && url.peek() === '' && connection.value !== undefined) {
      url.value = connection.value.url.replace(/^ws/, 'http');
    }
  });

  function send(): void {
    if (fault.value !== undefined) return;
    problem.value = undefined;
    const sending = withOwn(composition.value);
    prepareSending(parts.background, sending, parts.source()).then((prepared) => {
      if (!prepared.ok) {
        problem.value = { code: 'internal', message: prepared.reason };
        return;
      }
      const { calls, differences } = prepared;
      parts.replay.ask({
        calls,
        differences,
        send: () => {
          prepared.send().then(({ carrierId, rpcId }) => {
            parts.sent(sending, carrierId, rpcId);
          }, refused);
        },
      });
    }, refused);
  }

  /** What is chosen besides what is typed. */
  function withOwn(sending: Composition): Composition {
    if (sending.kind !== 'request') return sending;
    const chosen = { asTask: asTask.value, isTraced: isTraced.value, logLevel: logLevel.value };
    const extras = extrasFor(sending.method, connection.value?.era, chosen);
    return { ...sending, ...sentWith(sending.paramsText, extras) };
  }

  function refused(error: unknown): void {
    problem.value = readProblem(error);
  }

  return {
    mode,
    connection,
    choices,
    choose: (connectionId) => void (chosenId.value = connectionId),
    isAlone,
    method,
    methods,
    about,
    setMethod(next) {
      const isUntouched =
        paramsText.value.trim() === '' || paramsText.value === templateOf(method.value);
      if (isUntouched) paramsText.value = templateOf(next) ?? '';
      method.value = next;
    },
    paramsText,
    headers,
    timeoutSeconds,
    asTask,
    isTraced,
    logLevel,
    text,
    frame,
    setFrame(form) {
      text.value = rewriteFrame(text.value, frame.value, form);
      frame.value = form;
    },
    verb,
    url,
    httpHeaders,
    body,
    bytes,
    dropBytes: () => void (recordedBody.value = undefined),
    origin,
    dropOrigin: () => void (origin.value = undefined),
    problemsOf,
    lack,
    fault,
    warnings,
    problem,
    draft: () => ({
      mode: mode.value,
      method: method.value,
      paramsText: paramsText.value,
      headers: [...headers.value],
      text: text.value,
      ...(isBinary() ? { frame: frame.value } : {}),
      verb: verb.value,
      url: url.value,
      httpHeaders: [...httpHeaders.value],
      body: body.value,
      timeoutSeconds: timeoutSeconds.value,
    }),
    fill(draft) {
      batch(() => {
        const recorded = 'origin' in draft ? draft : undefined;
        problem.value = undefined;
        mode.value = draft.mode;
        method.value = draft.method ?? method.value;
        paramsText.value = draft.paramsText ?? '';
        headers.value = draft.headers ?? [];
        text.value = draft.text ?? '';
        frame.value = draft.frame ?? 'text';
        verb.value = draft.verb ?? 'POST';
        url.value = draft.url ?? '';
        httpHeaders.value = draft.httpHeaders ?? [];
        body.value = draft.body ?? '';
        timeoutSeconds.value = draft.timeoutSeconds ?? '';
        secretOrigin.value = recorded?.secretOrigin ?? originOfUrl(draft.url);
        origin.value = recorded?.origin;
        const kept = recorded?.recordedBody;
        recordedBody.value = kept && { bytes: kept, text: recorded.body };
        if (recorded?.connectionId !== undefined) chosenId.value = recorded.connectionId;
        isAlone.value = recorded !== undefined && recorded.connectionId === undefined;
      });
    },
    send,
  };
}
