import { effect } from '@preact/signals-core';
import type { Item, MessageRef } from '../../capture/correlate/items.ts';
import { countingPseudonyms, createPseudonyms } from '../../redact/pseudonyms.ts';
import { formatCount } from '../../text.ts';
import { toSecretRules } from '../../redact/rules.ts';
import { createTaint } from '../../redact/taint.ts';
import { createTurns } from '../../turns.ts';
import type { AppModel } from '../app-model.ts';
import { recordedCuts } from '../detail/body-cuts.ts';
import type { Said } from '../commands/commands-desk.ts';
import { createKnownSecrets } from './copy-known.ts';
import { buildCopy, copyKinds, isItemHeld, messagesOf, writtenText } from './copy-item.ts';
import type { CopyKind } from './copy-item.ts';
import { buildRowLine } from './copy-rows.ts';
import { collectingWriter, joiningWriter, notingWriter, replacingWriter } from './copy-secrets.ts';
import type { SecretWriter } from './copy-secrets.ts';
import { sizeBytesOf } from '../view/rows.ts';
import { readRules } from '../detail/secret-rules.ts';

/** Puts a text on the clipboard; resolves with whether it worked. */
export type WriteClipboard = (text: string) => Promise<boolean>;

/** Copies rows in every form, and says what became of the secrets in them. */
export interface CopyDesk {
  /** Replaces secrets by pseudonyms. */
  copy(kind: CopyKind, item: Item): Promise<void>;
  /** With the secrets that are still held. */
  copyWithSecrets(kind: CopyKind, item: Item): Promise<void>;
  /** All rows shown, one line of JSON each. */
  copyShown(): Promise<void>;
  /** What of an item loses secrets when it is copied. Of large messages only those count that are masked. */
  kindsWithSecrets(item: Item): CopyKind[];
}

/** A menu looks through no more than this for secrets before it opens. */
const LOOKED_THROUGH_BYTES = 200_000;
/** A clipboard that has to hold more is asked for trouble. */
const CLIPBOARD_LENGTH = 64_000_000;
/** So many rows at once are read back from disk. */
const ROWS_AT_ONCE = 200;

const WORDS: Record<CopyKind, string> = {
  message: 'the message',
  response: 'the response',
  result: 'the result',
  'json-rpc': 'as JSON-RPC',
  curl: 'as cURL',
  fetch: 'as fetch',
  url: 'the URL',
  row: 'the row',
};

const FROM_HEADS: readonly CopyKind[] = ['curl', 'fetch', 'url', 'row'];

const desks = new WeakMap<AppModel, CopyDesk>();

/** The desk of a panel: the same secret has the same pseudonym in all of its copies, and in no others. */
export function copyDeskOf(model: AppModel, write: WriteClipboard): CopyDesk {
  const known = desks.get(model);
  if (known !== undefined) return known;
  const desk = createCopyDesk(model, write);
  desks.set(model, desk);
  return desk;
}

function createCopyDesk(model: AppModel, write: WriteClipboard): CopyDesk {
  const { correlation, desk, secrets, traffic } = model;
  const pseudonyms = createPseudonyms(crypto.getRandomValues(new Uint8Array(32)));
  const rules = toSecretRules(readRules(model.storage.settings));
  const known = createKnownSecrets(() => model.correlation, { pseudonyms, rules });

  /** Resolves once a check holds; it is made again whenever bytes have been read back from disk. */
  function until(check: () => boolean): Promise<void> {
    if (check()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = effect(() => {
        if (desk.restored.value < 0 || !check()) return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  }

  async function ready(kind: CopyKind, item: Item): Promise<void> {
    if (FROM_HEADS.includes(kind)) return;
    await until(() => isItemHeld(item, correlation));
  }

  async function put(text: string, words: string, action?: Said['action']): Promise<void> {
    const worked = await write(text);
    if (!worked) desk.said.value = { words: 'Copying was refused.' };
    else desk.said.value = { words, ...(action === undefined ? {} : { action }) };
  }

  /** What one text of these gives away is replaced in all of them. */
  function writerFor(items: readonly Item[], counting: typeof pseudonyms): SecretWriter {
    const found = new Map(known());
    const collecting = collectingWriter({ pseudonyms, rules }, found);
    for (const item of items) {
      for (const kind of copyKinds(item, correlation)) {
        // The others say the same once more.
        if (kind === 'curl' || kind === 'json-rpc') buildCopy(kind, item, correlation, collecting);
      }
    }
    return replacingWriter({ pseudonyms: counting, rules, known: createTaint(found) });
  }

  async function copy(kind: CopyKind, item: Item): Promise<void> {
    await ready(kind, item);
    const counting = countingPseudonyms(pseudonyms);
    const text = buildCopy(kind, item, correlation, writerFor([item], counting));
    if (text === undefined) return;
    const count = total(counting.counts);
    const canJoin = count > 0 && kind !== 'row';
    await put(
      text,
      `Copied ${WORDS[kind]}${secretsWords(count)}.`,
      canJoin
        ? { title: 'Copy with secrets', run: () => void copyWithSecrets(kind, item) }
        : undefined,
    );
  }

  async function copyWithSecrets(kind: CopyKind, item: Item): Promise<void> {
    await ready(kind, item);
    const wanted = new Set<string>();
    buildCopy(kind, item, correlation, notingWriter(wanted));
    const values = wanted.size === 0 ? {} : await secrets.valuesOf([...wanted]);
    const text = buildCopy(kind, item, correlation, joiningWriter(values, pseudonyms));
    if (text === undefined) return;
    const gone = [...wanted].filter((fingerprint) => !Object.hasOwn(values, fingerprint)).length;
    const lost = gone === 0 ? '' : `, but ${formatCount(gone, 'secret')} no longer held`;
    await put(text, `Copied ${WORDS[kind]} with its secrets${lost}.`);
  }

  async function copyShown(): Promise<void> {
    const items: Item[] = [];
    for (let index = 0; index < traffic.count.peek(); index += 1) {
      const item = traffic.itemAt(index);
      if (item !== undefined) items.push(item);
    }
    const counting = countingPseudonyms(pseudonyms);
    const { lines, count } = await buildLines(items, counting);
    const all = formatCount(items.length, 'row');
    const words =
      count === items.length
        ? `Copied ${all} as JSON lines`
        : `Copied the first ${count.toLocaleString('en')} of ${all}: more is too much for a clipboard`;
    await put(lines, `${words}${secretsWords(total(counting.counts))}.`);
  }

  async function buildLines(items: readonly Item[], counting: typeof pseudonyms) {
    const turns = createTurns();
    let lines = '';
    let count = 0;
    for (let from = 0; from < items.length; from += ROWS_AT_ONCE) {
      const part = items.slice(from, from + ROWS_AT_ONCE);
      await until(() => part.filter((item) => !isItemHeld(item, correlation)).length === 0);
      const writer = writerFor(part, counting);
      for (const item of part) {
        const line = buildRowLine(item, correlation, writer);
        if (lines.length + line.length > CLIPBOARD_LENGTH && count > 0) return { lines, count };
        lines += `${line}\n`;
        count += 1;
        if (turns.isOver) {
          desk.said.value = { words: `Copying, ${count.toLocaleString('en')} rows so far…` };
          await turns.next();
        }
      }
    }
    return { lines, count };
  }

  /** Of large messages only what was masked counts: a menu does not look through them before it opens. */
  function hasSecrets(item: Item, ref: MessageRef): boolean {
    if (recordedCuts(correlation, ref).length > 0) return true;
    const isLarge = (sizeBytesOf(item, correlation) ?? 0) > LOOKED_THROUGH_BYTES;
    return !isLarge && isReplaced((writer) => void writtenText(ref, correlation, writer));
  }

  function isReplaced(write: (writer: SecretWriter) => void): boolean {
    const counting = countingPseudonyms(pseudonyms);
    write(replacingWriter({ pseudonyms: counting, rules }));
    return counting.counts.size > 0;
  }

  function kindsWithSecrets(item: Item): CopyKind[] {
    const [message = false, response = false] = messagesOf(item).map((ref) =>
      hasSecrets(item, ref),
    );
    const inHeads = (kind: CopyKind) =>
      isReplaced((writer) => void buildCopy(kind, item, correlation, writer));
    return copyKinds(item, correlation).filter((kind) => {
      switch (kind) {
        case 'message':
          return message;
        case 'response':
        case 'result':
          return response;
        case 'json-rpc':
          return message || response;
        case 'curl':
        case 'fetch':
        case 'url':
          return inHeads(kind);
        case 'row':
          return false;
      }
    });
  }

  return {
    copy,
    copyWithSecrets,
    copyShown,
    kindsWithSecrets,
  };
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function secretsWords(count: number): string {
  return count === 0 ? '' : `, ${formatCount(count, 'secret')} replaced`;
}
