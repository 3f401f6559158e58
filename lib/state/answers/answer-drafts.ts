import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { ServerAnswer, ServerQuestion } from '../../port/contract.ts';
import { isUrlElicitation } from '../../protocol/elicitation.ts';
import { isRecord } from '../../record.ts';
import { createJsonEdit, jsonFault } from '../detail/json-text.ts';
import type { JsonEdit } from '../detail/json-text.ts';
import type { OpenQuestion } from './questions.ts';
import { createSchemaForm } from '../server/schema-form.ts';
import type { SchemaForm } from '../server/schema-form.ts';

const METHOD_NOT_FOUND = -32601;
const USER_REJECTED = -1;

interface DraftBase {
  /** Why `toAnswer` gives nothing, in words; shown once the user has tried. */
  fault: ReadonlySignal<string | undefined>;
  /** The answer as drafted, or undefined while there is a fault. */
  toAnswer(): ServerAnswer | undefined;
  /** What the other buttons of the question answer. */
  refusals: readonly { title: string; answer: ServerAnswer }[];
}

/** A form that the server asks the user to fill in. */
export interface FormDraft extends DraftBase {
  kind: 'form';
  form: SchemaForm;
}

/** A page that the server asks the user to visit. */
export interface UrlDraft extends DraftBase {
  kind: 'url';
  url: string;
}

/** A reply in place of the model's. */
export interface SamplingDraft extends DraftBase {
  kind: 'sampling';
  reply: Signal<string>;
  model: Signal<string>;
  json: JsonEdit;
}

/** A result as JSON, or the list of roots that goes into one. */
export interface JsonDraft extends DraftBase {
  kind: 'roots' | 'result';
  text: Signal<string>;
}

export type AnswerDraft = FormDraft | UrlDraft | SamplingDraft | JsonDraft;

const drafts = new WeakMap<OpenQuestion, AnswerDraft>();

/** The answer to an open question as far as it is drafted: it lives as long as the question. */
export function draftOf(question: OpenQuestion): AnswerDraft {
  const draft = drafts.get(question) ?? createAnswerDraft(question.question);
  drafts.set(question, draft);
  return draft;
}

/** What was typed into a draft, by part. */
export type WrittenAnswer = Record<string, string>;

/** What was typed as the answer to a question; undefined where nobody has looked at it. */
export function writtenAnswer(question: OpenQuestion): WrittenAnswer | undefined {
  const draft = drafts.get(question);
  return draft && writtenParts(draft);
}

function writtenParts(draft: AnswerDraft): WrittenAnswer {
  switch (draft.kind) {
    case 'form':
      return { text: draft.form.text.peek() };
    case 'sampling': {
      const { reply, model, json } = draft;
      const isJson = json.isOn.peek();
      return {
        reply: reply.peek(),
        model: model.peek(),
        ...(isJson && { json: json.text.peek() }),
      };
    }
    case 'url':
      return {};
    default:
      return { text: draft.text.peek() };
  }
}

/** Writes into the draft of a question what was typed before, by another panel. */
export function fillAnswer(
  question: OpenQuestion,
  { text, reply, model, json }: WrittenAnswer,
): void {
  const draft = draftOf(question);
  if (draft.kind === 'form') {
    if (text !== undefined) draft.form.setJson(text);
  } else if (draft.kind === 'sampling') {
    if (reply !== undefined) draft.reply.value = reply;
    if (model !== undefined) draft.model.value = model;
    if (json === undefined) return;
    if (!draft.json.isOn.peek()) draft.json.toggle();
    draft.json.text.value = json;
  } else if (draft.kind !== 'url' && text !== undefined) {
    draft.text.value = text;
  }
}

/** The draft that suits a question. */
export function createAnswerDraft({ method, params }: ServerQuestion): AnswerDraft {
  const given = isRecord(params) ? params : {};
  switch (method) {
    case 'elicitation/create':
      return isUrlElicitation(params)
        ? urlDraft(given['url'])
        : formDraft(given['requestedSchema']);
    case 'sampling/createMessage':
      return samplingDraft(given['modelPreferences']);
    case 'roots/list':
      return rootsDraft();
    default:
      return resultDraft(method);
  }
}

const ELICITATION_REFUSALS = [
  { title: 'Decline', answer: { resultText: '{"action":"decline"}' } },
  { title: 'Cancel', answer: { resultText: '{"action":"cancel"}' } },
];

function formDraft(requestedSchema: unknown): FormDraft {
  const form = createSchemaForm(isRecord(requestedSchema) ? requestedSchema : {});
  const fault = computed(() => {
    if (form.fault.value !== undefined) return form.fault.value;
    const count = form.problems.value.length;
    // Whoever writes JSON may want to see what the server makes of it.
    if (count === 0 || form.isJson.value) return undefined;
    return count === 1 ? 'One field needs your attention.' : `${count} fields need your attention.`;
  });
  return {
    kind: 'form',
    form,
    fault,
    refusals: ELICITATION_REFUSALS,
    toAnswer() {
      form.hasTried.value = true;
      if (fault.value !== undefined) return undefined;
      const content = form.text.value.trim() === '' ? '{}' : form.text.value;
      return { resultText: `{"action":"accept","content":${content}}` };
    },
  };
}

function urlDraft(url: unknown): UrlDraft {
  return {
    kind: 'url',
    url: typeof url === 'string' ? url : '',
    fault: signal(undefined),
    refusals: ELICITATION_REFUSALS,
    toAnswer: () => ({ resultText: '{"action":"accept"}' }),
  };
}

function samplingDraft(preferences: unknown): SamplingDraft {
  const reply = signal('');
  const model = signal(firstHint(preferences) ?? 'human');
  const toText = (indent?: number) =>
    JSON.stringify(
      {
        role: 'assistant',
        content: { type: 'text', text: reply.value },
        model: model.value.trim(),
        stopReason: 'endTurn',
      },
      undefined,
      indent,
    );
  const json = createJsonEdit(() => toText(2));
  const fault = computed(() => {
    if (json.isOn.value) return notJson(json.text.value);
    if (reply.value === '') return 'Type the reply first.';
    return model.value.trim() === '' ? 'A reply names its model.' : undefined;
  });
  return {
    kind: 'sampling',
    reply,
    model,
    json,
    fault,
    refusals: [
      {
        title: 'Reject',
        answer: { code: USER_REJECTED, message: 'User rejected sampling request' },
      },
    ],
    toAnswer() {
      if (fault.value !== undefined) return undefined;
      return { resultText: json.isOn.value ? json.text.value : toText() };
    },
  };
}

function rootsDraft(): JsonDraft {
  const text = signal('[\n  { "uri": "file:///", "name": "" }\n]');
  const fault = computed(() => {
    const found = notJson(text.value);
    if (found !== undefined) return found;
    const list: unknown = JSON.parse(text.value);
    const isList = Array.isArray(list) && list.every((root) => isRecord(root) && 'uri' in root);
    return isList ? undefined : 'This must be a list of objects that have a uri.';
  });
  return jsonDraft('roots', text, fault, 'roots/list', () => `{"roots":${text.value}}`);
}

function resultDraft(method: string): JsonDraft {
  const text = signal('{}');
  const fault = computed(() => notJson(text.value));
  return jsonDraft('result', text, fault, method, () => text.value);
}

function jsonDraft(
  kind: JsonDraft['kind'],
  text: Signal<string>,
  fault: JsonDraft['fault'],
  method: string,
  toResult: () => string,
): JsonDraft {
  const answer = { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
  return {
    kind,
    text,
    fault,
    refusals: [{ title: 'Refuse', answer }],
    toAnswer: () => (fault.value === undefined ? { resultText: toResult() } : undefined),
  };
}

function notJson(text: string): string | undefined {
  const fault = jsonFault(text);
  return fault === undefined ? undefined : `Not JSON at ${fault}`;
}

function firstHint(preferences: unknown): string | undefined {
  const hints = isRecord(preferences) ? preferences['hints'] : undefined;
  const hint: unknown = Array.isArray(hints) ? hints[0] : undefined;
  return isRecord(hint) && typeof hint['name'] === 'string' ? hint['name'] : undefined;
}
