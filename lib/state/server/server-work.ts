import { signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { parseExact } from '../../json/exact.ts';
import { member, parseJson, sourceText } from '../../json/parse.ts';
import { expandUriTemplate, parseUriTemplate } from '../../protocol/uri-template.ts';
import { isRecord } from '../../record.ts';
import { toLine } from '../../text.ts';
import { withExtras } from '../composer/composer-extras.ts';
import type { CallDesk, CallRun } from './server-call.ts';
import { createCompleter } from './server-completion.ts';
import type { Entry } from './server-entries.ts';
import { createSchemaForm, type SchemaForm } from './schema-form.ts';

/** What the user does with one entry: its form, and the requests that were sent with it, the newest first. */
export interface EntryWork {
  form: SchemaForm | undefined;
  runs: ReadonlySignal<readonly CallRun[]>;
  /** What the button does, in a word. */
  verb: 'Call' | 'Read' | 'Get';
  /** Method and params as they would be sent now; undefined while they cannot be. */
  toRequest(): { method: string; paramsText: string } | undefined;
  /** Of a template: the URI that it makes now. */
  uri(): string | undefined;
  /** Whether the call may become a task; absent where none can. */
  asTask?: Signal<boolean>;
  send(connectionId: string): void;
}

export interface WorkParts {
  desk: CallDesk;
  connectionId(): string | undefined;
  /** Whether the server offers completions. */
  hasCompletions: boolean;
  /** How a call is let become a task: by a param (2025-11-25), or by what is declared; absent where none can. */
  tasks?: 'param' | 'declared';
  /** JSON that the user has typed for the same entry before. */
  given?: string;
}

const MANY_RUNS = 20;

/** Holds what the user does with one tool, resource or prompt: its form, and the calls made of it. */
export function createEntryWork(entry: Entry, parts: WorkParts): EntryWork {
  const runs = signal<readonly CallRun[]>([]);
  const { form, toRequest, uri, verb } = makerOf(entry, parts);
  const support = taskSupportOf(entry, parts);
  const asTask = signal(support === 'required');
  const isTask = () => support !== undefined && asTask.value;

  /** As it would be sent now. */
  function requestNow(): ReturnType<EntryWork['toRequest']> {
    const request = toRequest();
    if (request === undefined || !isTask() || parts.tasks !== 'param') return request;
    return { ...request, paramsText: withExtras(request.paramsText, { task: 'param' }) ?? '' };
  }

  return {
    form,
    runs,
    verb,
    uri,
    ...(support === undefined ? {} : { asTask }),
    toRequest: requestNow,
    send(connectionId) {
      const request = requestNow();
      if (request === undefined) return;
      const problems = form?.problems.value.length ?? 0;
      const options = isTask() && parts.tasks === 'declared' ? { asTask: true } : undefined;
      const { method, paramsText } = request;
      const run = parts.desk.send(connectionId, method, paramsText, problems, options);
      runs.value = [run, ...runs.value].slice(0, MANY_RUNS);
    },
  };
}

/** How a tool is for tasks: in 2025-11-25 it says so itself, later any call may be answered by one. */
function taskSupportOf({ kind, value }: Entry, { tasks }: WorkParts): string | undefined {
  if (kind !== 'tools' || tasks === undefined) return undefined;
  if (tasks === 'declared') return 'optional';
  const { execution } = value;
  const support = isRecord(execution) ? execution['taskSupport'] : undefined;
  return support === 'required' || support === 'optional' ? support : undefined;
}

type Maker = Pick<EntryWork, 'form' | 'toRequest' | 'uri' | 'verb'>;

function makerOf(entry: Entry, parts: WorkParts): Maker {
  const { name, value } = entry;
  switch (entry.kind) {
    case 'tools': {
      const form = createSchemaForm(memberOf(entry, 'inputSchema') ?? {}, givenIn(parts));
      return {
        form,
        verb: 'Call',
        uri: () => undefined,
        toRequest: () => call('tools/call', name, form),
      };
    }
    case 'prompts': {
      const form = promptForm(entry, parts);
      return {
        form,
        verb: 'Get',
        uri: () => undefined,
        toRequest: () => call('prompts/get', name, form),
      };
    }
    case 'resources': {
      const read = { method: 'resources/read', paramsText: JSON.stringify({ uri: name }) };
      return { form: undefined, verb: 'Read', uri: () => name, toRequest: () => read };
    }
    case 'templates': {
      const template = parseUriTemplate(toLine(value['uriTemplate']));
      const names = template.ok ? template.template.variables : [];
      const form = textForm(
        names.map((each) => ({ name: each })),
        { type: 'ref/resource', uri: toLine(value['uriTemplate']) },
        parts,
      );
      const uri = (): string | undefined =>
        template.ok ? expandUriTemplate(template.template, valuesOf(form)) : undefined;
      return {
        form,
        verb: 'Read',
        uri,
        toRequest() {
          const made = form.fault.value === undefined ? uri() : undefined;
          return made === undefined
            ? undefined
            : { method: 'resources/read', paramsText: JSON.stringify({ uri: made }) };
        },
      };
    }
  }
}

/** The arguments go to the letter. A call tells how far it has come, if the server does. */
function call(method: string, name: string, form: SchemaForm): ReturnType<EntryWork['toRequest']> {
  if (form.fault.value !== undefined) return undefined;
  const text = form.text.value.trim();
  const given = text === '' || (text === '{}' && method === 'prompts/get') ? undefined : text;
  const meta =
    method === 'tools/call'
      ? [`"_meta":{"progressToken":"w-${crypto.randomUUID().slice(0, 8)}"}`]
      : [];
  const members = [
    `"name":${JSON.stringify(name)}`,
    ...(given === undefined ? [] : [`"arguments":${given}`]),
    ...meta,
  ];
  return { method, paramsText: `{${members.join(',')}}` };
}

function promptForm({ name, value }: Entry, parts: WorkParts): SchemaForm {
  const given: unknown = value['arguments'];
  const named = Array.isArray(given) ? given.filter(isNamed) : [];
  return textForm(named, { type: 'ref/prompt', name }, parts);
}

/** A form of texts, for which the server may have proposals. */
function textForm(
  fields: readonly { name: string; description?: unknown; title?: unknown; required?: unknown }[],
  ref: Parameters<typeof createCompleter>[0]['ref'],
  parts: WorkParts,
): SchemaForm {
  const properties = Object.fromEntries(
    fields.map(({ name, description, title }) => [name, { type: 'string', description, title }]),
  );
  const required = fields.filter((field) => field.required === true).map(({ name }) => name);
  const schema = parseExact(JSON.stringify({ type: 'object', properties, required }));
  const completer = createCompleter({
    desk: parts.desk,
    connectionId: parts.connectionId,
    ref,
    others: (name) =>
      Object.fromEntries(Object.entries(valuesOf(form)).filter(([key]) => key !== name)),
  });
  const form: SchemaForm = createSchemaForm(schema, {
    ...givenIn(parts),
    ...(parts.hasCompletions ? { completer } : {}),
  });
  return form;
}

function givenIn({ given }: WorkParts): { given?: string } {
  return given === undefined ? {} : { given };
}

/** The texts in a form; what is no text is left out. */
function valuesOf({ text, parsed }: SchemaForm): Record<string, string> {
  if (!parsed.value.ok || text.value.trim() === '') return {};
  const value: unknown = JSON.parse(text.value);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** A member of a definition with every digit that it has; nothing where it is nested too deep to be read. */
function memberOf({ source, value }: Entry, key: string): unknown {
  if (!Object.hasOwn(value, key)) return undefined;
  const parsed = parseJson(source);
  const node = parsed.ok ? member(parsed.root, key) : undefined;
  return node === undefined ? undefined : parseExact(sourceText(source, node));
}

function isNamed(value: unknown): value is { name: string } {
  return (
    typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
  );
}
