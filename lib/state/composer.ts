import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Problem } from '../errors.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../port/contract.ts';
import { canSend } from './connection-words.ts';
import { jsonFault } from './json-text.ts';
import { readProblem } from './read-problem.ts';

/** The form that sends a request of the user's own. */
export interface Composer {
  isOpen: Signal<boolean>;
  method: ReadonlySignal<string>;
  /** Raw JSON exactly as typed; empty means no params. */
  paramsText: Signal<string>;
  /** Connection to send on: the chosen one while it lives, else the newest. */
  connection: ReadonlySignal<ConnectionSummary | undefined>;
  /** Connections that can send. */
  choices: ReadonlySignal<readonly ConnectionSummary[]>;
  /** Position and cause where the params are no JSON. */
  fault: ReadonlySignal<string | undefined>;
  problem: ReadonlySignal<Problem | undefined>;
  choose(connectionId: string): void;
  /** Sets the method; offers a template where there are no params yet. */
  setMethod(method: string): void;
  send(): void;
}

const TASK = '{\n  "taskId": ""\n}';

/** Starting points for methods that are useless without params. */
const TEMPLATES: Record<string, string> = {
  'tools/call': '{\n  "name": "",\n  "arguments": {}\n}',
  'resources/read': '{\n  "uri": ""\n}',
  'prompts/get': '{\n  "name": "",\n  "arguments": {}\n}',
  'completion/complete':
    '{\n  "ref": { "type": "ref/prompt", "name": "" },\n  "argument": { "name": "", "value": "" }\n}',
  'subscriptions/listen': '{\n  "notifications": { "toolsListChanged": true }\n}',
  'tasks/get': TASK,
  'tasks/result': TASK,
  'tasks/cancel': TASK,
  'tasks/update': '{\n  "taskId": "",\n  "inputResponses": {}\n}',
};

/** Creates the composer over the live connections. */
export function createComposer(
  background: BackgroundFunctions,
  connections: ReadonlySignal<readonly ConnectionSummary[]>,
): Composer {
  const isOpen = signal(false);
  const method = signal('tools/list');
  const paramsText = signal('');
  const chosenId = signal<string | undefined>(undefined);
  const problem = signal<Problem | undefined>(undefined);
  const choices = computed(() => connections.value.filter(canSend));
  const connection = computed(
    () =>
      choices.value.find(({ connectionId }) => connectionId === chosenId.value) ??
      choices.value.at(-1),
  );
  const fault = computed(() => {
    if (paramsText.value.trim() === '') return undefined;
    return jsonFault(paramsText.value);
  });

  return {
    isOpen,
    method,
    paramsText,
    connection,
    choices,
    fault,
    problem,
    choose(connectionId) {
      chosenId.value = connectionId;
    },
    setMethod(next) {
      const isUntouched =
        paramsText.value.trim() === '' || paramsText.value === TEMPLATES[method.value];
      if (isUntouched) paramsText.value = TEMPLATES[next] ?? '';
      method.value = next;
    },
    send() {
      const target = connection.value;
      if (target === undefined || fault.value !== undefined || method.value.trim() === '') return;
      problem.value = undefined;
      const params = paramsText.value.trim() === '' ? undefined : paramsText.value;
      background.send(target.connectionId, method.value.trim(), params).catch((error: unknown) => {
        problem.value = readProblem(error);
      });
    },
  };
}
