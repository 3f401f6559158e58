import { batch, computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import {
  nodeAtPath,
  withMovedItem,
  withoutValue,
  withValue,
  type JsonPath,
} from '../../json/edit.ts';
import { parseExact, toPlain } from '../../json/exact.ts';
import { locate } from '../../json/locate.ts';
import { parseJson, sourceText, type JsonNode, type ParseResult } from '../../json/parse.ts';
import { checkValue } from '../../schema/check.ts';
import { readField, type Field, type Variant } from '../../schema/field.ts';
import { bestVariant } from '../../schema/fit.ts';
import { addedJson, initialJson } from '../../schema/initial.ts';
import { isKeyWithin, movedKey, toKey } from './form-keys.ts';
import { jsonFault } from '../detail/json-text.ts';

/** What is wrong with a part of the JSON, and where it stands in the text. */
export interface FormProblem {
  path: JsonPath;
  message: string;
  /** Nothing is there, where something has to be. */
  isMissing: boolean;
  /** Counted from 1. */
  line: number;
  column: number;
}

/** Proposals for a text while it is typed. */
export interface Completer {
  /** What the server proposes for the text of a field; undefined where nothing is known. */
  options: ReadonlySignal<{ name: string; values: readonly string[]; note: string } | undefined>;
  type(name: string, text: string): void;
  leave(): void;
}

/** A form for a JSON Schema. The JSON text is all that it holds: the fields show it, and write into it. */
export interface SchemaForm {
  /** The schema, as `parseExact` reads it. */
  readonly schema: unknown;
  readonly completer?: Completer;
  /** The JSON, exactly as it is sent; empty where nothing is given. */
  text: ReadonlySignal<string>;
  isJson: Signal<boolean>;
  parsed: ReadonlySignal<ParseResult>;
  /** Why nothing can be sent: the text, or a part of it, is no JSON. */
  fault: ReadonlySignal<string | undefined>;
  problems: ReadonlySignal<readonly FormProblem[]>;
  /** What could not be checked; sentences. */
  notChecked: ReadonlySignal<readonly string[]>;
  /** The user has tried to send it: what is missing is named from then on. */
  hasTried: Signal<boolean>;
  fieldOf(part: unknown): Field;
  nodeAt(path: JsonPath): JsonNode | undefined;
  /** The JSON of a part, to the letter. */
  sourceAt(path: JsonPath): string | undefined;
  /** What is wrong with a part; with `isDeep` also with what lies in it. */
  faultAt(path: JsonPath, isDeep?: boolean): string | undefined;
  /** Takes a text that was typed as JSON. */
  setJson(text: string): void;
  set(path: JsonPath, json: string): void;
  remove(path: JsonPath): void;
  /** Adds a part with what its schema proposes. */
  add(path: JsonPath, part: unknown): void;
  move(path: JsonPath, from: number, to: number): void;
  /** What was typed for a part that is JSON, be it JSON or not. */
  partAt(path: JsonPath): string;
  partFault(path: JsonPath): string | undefined;
  setPart(path: JsonPath, text: string): void;
  variantAt(path: JsonPath, variants: readonly Variant[]): number;
  choose(path: JsonPath, variants: readonly Variant[], index: number): void;
  /** Everything as the schema proposes it. */
  reset(): void;
}

/** RFC 8259, section 6: what can go to the server to the letter. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number as typed; what is none is sent as a text, so that nothing that was typed is lost. */
export function numberJson(typed: string): string {
  const text = typed.trim();
  return JSON_NUMBER.test(text) ? text : JSON.stringify(typed);
}

/** Creates a form; `given` is JSON to begin with instead of what the schema proposes. */
export function createSchemaForm(
  schema: unknown,
  options: { given?: string; completer?: Completer } = {},
): SchemaForm {
  const text = signal(options.given ?? initialJson(schema, schema, true) ?? '');
  const isJson = signal(false);
  const hasTried = signal(false);
  /** By path: what was typed for a part, where it is no JSON. */
  const broken = signal<ReadonlyMap<string, string>>(new Map());
  const chosen = new Map<string, number>();
  /** By path and alternative: what it held when another one was chosen. */
  const left = new Map<string, string>();
  const fields = new Map<unknown, Field>();
  const plainSchema = toPlain(schema);

  const parsed = computed(() => parseJson(whole()));
  const check = computed(() => {
    if (!parsed.value.ok) return { problems: [], notChecked: [] };
    return checkValue(plainSchema, JSON.parse(withoutMark(whole())));
  });
  const problems = computed(() =>
    check.value.problems.map(({ path, message }) => ({
      path,
      message,
      isMissing: nodeAt(path) === undefined,
      ...placeOf(path),
    })),
  );

  function nodeAt(path: JsonPath): JsonNode | undefined {
    return parsed.value.ok ? nodeAtPath(parsed.value.root, path) : undefined;
  }

  /** Of what is missing, the place of what it is missing in. */
  function placeOf(path: JsonPath): { line: number; column: number } {
    const node = nodeAt(path) ?? nodeAt(path.slice(0, -1));
    return locate(whole(), node?.start ?? 0);
  }

  function sourceAt(path: JsonPath): string | undefined {
    const node = nodeAt(path);
    return node === undefined ? undefined : sourceText(whole(), node);
  }

  function edit(next: string): void {
    text.value = next;
  }

  function whole(): string {
    return text.value.trim() === '' ? '{}' : text.value;
  }

  /** What is kept beside the text moves with the items of a list, and goes with them. */
  function follow(path: JsonPath, placeOf: (index: number) => number | undefined): void {
    const moved = new Map<string, string>();
    for (const [key, typed] of broken.value) {
      const next = movedKey(key, path, placeOf);
      if (next !== undefined) moved.set(next, typed);
    }
    broken.value = moved;
    for (const map of [chosen, left] as Map<string, string | number>[]) {
      const entries = [...map];
      map.clear();
      for (const [key, kept] of entries) {
        const next = movedKey(key, path, placeOf);
        if (next !== undefined) map.set(next, kept);
      }
    }
  }

  function unbreak(path: JsonPath): void {
    const kept = [...broken.value].filter(([key]) => !isKeyWithin(key, path));
    if (kept.length !== broken.value.size) broken.value = new Map(kept);
  }

  function set(path: JsonPath, json: string): void {
    edit(withValue(whole(), path, json));
  }

  const form: SchemaForm = {
    schema,
    ...(options.completer === undefined ? {} : { completer: options.completer }),
    text,
    isJson,
    parsed,
    fault: computed(() => {
      const found = parsed.value;
      if (!found.ok) return `Not JSON at ${jsonFault(whole()) ?? ''}`;
      const count = broken.value.size;
      if (count === 0 || isJson.value) return undefined;
      return count === 1 ? 'One part is not JSON.' : `${count} parts are not JSON.`;
    }),
    problems,
    notChecked: computed(() => check.value.notChecked),
    hasTried,
    fieldOf(part) {
      const field = fields.get(part) ?? readField(schema, part);
      fields.set(part, field);
      return field;
    },
    nodeAt,
    sourceAt,
    faultAt(path, isDeep = false) {
      const found = problems.value.filter(
        (problem) =>
          (isDeep || problem.path.length === path.length) &&
          path.every((step, at) => problem.path[at] === step) &&
          (hasTried.value || !problem.isMissing),
      );
      if (found.length === 0) return undefined;
      return found
        .map((problem) => {
          const inside = problem.path.slice(path.length).join('.');
          return inside === '' ? `This ${problem.message}.` : `“${inside}” ${problem.message}.`;
        })
        .join(' ');
    },
    setJson(next) {
      batch(() => {
        text.value = next;
        broken.value = new Map();
        chosen.clear();
      });
    },
    set,
    remove(path) {
      const at = path.at(-1);
      batch(() => {
        edit(withoutValue(whole(), path));
        if (typeof at !== 'number') return unbreak(path);
        follow(path.slice(0, -1), (index) =>
          index === at ? undefined : index > at ? index - 1 : index,
        );
      });
    },
    add: (path, part) => set(path, addedJson(schema, part)),
    move(path, from, to) {
      batch(() => {
        edit(withMovedItem(whole(), path, from, to));
        follow(path, (index) => {
          if (index === from) return to;
          if (from < to) return index > from && index <= to ? index - 1 : index;
          return index >= to && index < from ? index + 1 : index;
        });
      });
    },
    partAt: (path) => broken.value.get(toKey(path)) ?? outdented(sourceAt(path) ?? '', path.length),
    partFault(path) {
      const typed = broken.value.get(toKey(path));
      const fault = typed === undefined ? undefined : jsonFault(typed);
      return fault === undefined ? undefined : `Not JSON at ${fault}`;
    },
    setPart(path, typed) {
      const isItem = typeof path.at(-1) === 'number';
      batch(() => {
        unbreak(path);
        if (path.length === 0 && typed.trim() === '') return edit('');
        if (typed.trim() === '' && !isItem) return edit(withoutValue(whole(), path));
        if (jsonFault(typed) === undefined) return set(path, typed.trim());
        broken.value = new Map(broken.value).set(toKey(path), typed);
      });
    },
    variantAt(path, variants) {
      const key = toKey(path);
      const source = sourceAt(path);
      const known = chosen.get(key);
      if (known !== undefined && variants[known] !== undefined) return known;
      if (source === undefined) return -1;
      const best = bestVariant(schema, variants, parseExact(source));
      chosen.set(key, best);
      return best;
    },
    choose(path, variants, index) {
      const key = toKey(path);
      const before = chosen.get(key);
      const source = sourceAt(path);
      if (before !== undefined && source !== undefined) left.set(`${key} ${before}`, source);
      chosen.set(key, index);
      batch(() => {
        unbreak(path);
        set(path, left.get(`${key} ${index}`) ?? addedJson(schema, variants[index]?.schema));
      });
    },
    reset() {
      form.setJson(options.given ?? initialJson(schema, schema, true) ?? '');
      hasTried.value = false;
    },
  };
  return form;
}

function outdented(json: string, depth: number): string {
  return json.replaceAll(`\n${'  '.repeat(depth)}`, '\n');
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
