import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import { createPseudonyms } from '../../redact/pseudonyms.ts';
import { redactPatterns } from '../../redact/patterns.ts';
import type { SettingStore } from '../view/column-choice.ts';
import type { Draft, DraftHeader } from './composer-draft.ts';
import { isCredential } from '../replay/replay-headers.ts';

/** A composition that is kept for a server. */
export interface KeptDraft {
  id: string;
  name: string;
  /** Wall time, ms. */
  at: number;
  draft: Draft;
}

/** What was sent to a server lately, and what was saved for it. Both are kept for the browser profile. */
export interface SavedRequests {
  history: ReadonlySignal<readonly KeptDraft[]>;
  saved: ReadonlySignal<readonly KeptDraft[]>;
  note(server: string, name: string, draft: Draft, at: number): void;
  /** Saves under a name; one that is there already is replaced. */
  save(server: string, name: string, draft: Draft, at: number): void;
  remove(server: string, id: string): void;
  clearHistory(server: string): void;
  /** Shows what is kept for a server. */
  show(server: string): void;
}

interface Stored {
  history: KeptDraft[];
  saved: KeptDraft[];
}

const PREFIX = 'requests ';
const HISTORY = 30;
const SAVED = 200;
/** Longer ones are not kept: the browser gives a page five million letters for all of them. */
const KEPT_LENGTH = 100_000;

/** Opens what is kept in a store; without one it lasts as long as the page. */
export function openSavedRequests(store: SettingStore | undefined): SavedRequests {
  const history = signal<readonly KeptDraft[]>([]);
  const saved = signal<readonly KeptDraft[]>([]);
  const memory = new Map<string, Stored>();
  let shown = '';

  function read(server: string): Stored {
    const known = memory.get(server);
    if (known !== undefined) return known;
    const stored = parseStored(store?.read(PREFIX + server));
    memory.set(server, stored);
    return stored;
  }

  function write(server: string, next: Stored): void {
    memory.set(server, next);
    store?.write(PREFIX + server, JSON.stringify(next));
    if (server === shown) show(server);
  }

  function show(server: string): void {
    shown = server;
    const stored = read(server);
    history.value = stored.history;
    saved.value = stored.saved;
  }

  function kept(name: string, draft: Draft, at: number): KeptDraft | undefined {
    const bare = withoutSecrets(draft);
    if (JSON.stringify(bare).length > KEPT_LENGTH) return undefined;
    return { id: crypto.randomUUID(), name, at, draft: bare };
  }

  return {
    history,
    saved,
    show,
    note(server, name, draft, at) {
      const next = kept(name, draft, at);
      if (next === undefined) return;
      const stored = read(server);
      const text = JSON.stringify(next.draft);
      const others = stored.history.filter((each) => JSON.stringify(each.draft) !== text);
      write(server, { ...stored, history: [next, ...others].slice(0, HISTORY) });
    },
    save(server, name, draft, at) {
      const next = kept(name, draft, at);
      if (next === undefined) return;
      const stored = read(server);
      const others = stored.saved.filter((each) => each.name !== name);
      write(server, { ...stored, saved: [next, ...others].slice(0, SAVED) });
    },
    remove(server, id) {
      const without = (list: KeptDraft[]) => list.filter((each) => each.id !== id);
      const stored = read(server);
      write(server, { history: without(stored.history), saved: without(stored.saved) });
    },
    clearHistory(server) {
      write(server, { ...read(server), history: [] });
    },
  };
}

/** Makes what replaces all that looks like a secret in a text. */
export function barer(): (text: string) => string {
  const pseudonyms = createPseudonyms(crypto.getRandomValues(new Uint8Array(32)));
  return (text) => redactPatterns(text, pseudonyms);
}

/** No value of a secret is kept, as far as its name or its looks give it away. */
export function withoutSecrets(draft: Draft): Draft {
  const bare = barer();
  const headers = (list: DraftHeader[]) =>
    list.map(({ name, value }) => ({
      name,
      value: isCredential(name) && !value.includes('{{secret:') ? '' : bare(value),
    }));
  const { mode, method, paramsText, text, verb, url, body, timeoutSeconds } = draft;
  const texts = { paramsText, text, url, body };
  const plain = { mode, method, verb, timeoutSeconds };
  return {
    ...(JSON.parse(JSON.stringify(plain)) as Draft),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, bare(value)]],
      ),
    ),
    ...(draft.headers === undefined ? {} : { headers: headers(draft.headers) }),
    ...(draft.httpHeaders === undefined ? {} : { httpHeaders: headers(draft.httpHeaders) }),
  };
}

/** What another version has written, or somebody else, is left aside. */
function parseStored(text: string | undefined): Stored {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    const { history, saved } = (value ?? {}) as Partial<Record<keyof Stored, unknown>>;
    return { history: listOf(history), saved: listOf(saved) };
  } catch {
    return { history: [], saved: [] };
  }
}

function listOf(value: unknown): KeptDraft[] {
  return Array.isArray(value) ? value.filter(isKept) : [];
}

function isKept(value: unknown): value is KeptDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, at, draft } = value as Record<string, unknown>;
  const hasHead = typeof id === 'string' && typeof name === 'string' && typeof at === 'number';
  return hasHead && isDraft(draft);
}

const TEXTS = ['method', 'paramsText', 'text', 'verb', 'url', 'body', 'timeoutSeconds'];

function isDraft(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Record<string, unknown>;
  const areTexts = TEXTS.every((key) => draft[key] === undefined || typeof draft[key] === 'string');
  const areHeaders = ['headers', 'httpHeaders'].every(
    (key) => draft[key] === undefined || (Array.isArray(draft[key]) && draft[key].every(isHeader)),
  );
  return areTexts && areHeaders && ['request', 'text', 'http'].includes(String(draft['mode']));
}

function isHeader(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, value: text } = value as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string';
}
