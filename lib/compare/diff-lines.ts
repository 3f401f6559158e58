import { alignKeys } from './align.ts';
import { diffJson, type DiffOptions, type JsonDiff, type OneSided } from './json-diff.ts';
import { isList, isObject, readJson, scalarText, type JsonValue } from './json-value.ts';

/** A line of a comparison, as JSON is written with indents. */
export interface DiffLine {
  kind: 'same' | 'ignored' | 'changed' | 'added' | 'removed' | 'left-out';
  depth: number;
  /** On each side; absent where that side has no such line. */
  before?: string;
  after?: string;
  /** Equal lines that this one stands for. */
  count?: number;
}

/** Nobody reads more lines than this, and no page should lay them out. */
const MOST_LINES = 5000;
/** Equal lines that are shown around what differs. */
const CONTEXT = 2;
/** So much of a line is shown; where two long ones differ, the place is in sight. */
const LINE_LENGTH = 600;

interface Writer {
  lines: DiffLine[];
  options: DiffOptions;
}

/** The lines of a comparison; `isCut` where there are more than are listed. */
export function toDiffLines(
  diff: JsonDiff | OneSided,
  options: DiffOptions & { onlyDifferences?: boolean } = {},
): { lines: DiffLine[]; isCut: boolean } {
  const writer: Writer = { lines: [], options };
  writeDiff(writer, diff, 0, '', '');
  const all = options.onlyDifferences === true ? leaveOut(writer.lines) : writer.lines;
  return { lines: all.slice(0, MOST_LINES), isCut: all.length > MOST_LINES };
}

/** Two plain texts side by side, line by line; `isCut` where there is more than can be shown. */
export function toTextLines(
  before: string,
  after: string,
  onlyDifferences = false,
): { lines: DiffLine[]; isCut: boolean } {
  const writer: Writer = { lines: [], options: {} };
  writeTexts(writer, before.split('\n'), after.split('\n'), 0);
  const all = onlyDifferences ? leaveOut(writer.lines) : writer.lines;
  return { lines: all.slice(0, MOST_LINES), isCut: all.length > MOST_LINES };
}

function push(writer: Writer, line: DiffLine): void {
  // A little more than is shown, so that it is known that there is more.
  if (writer.lines.length <= MOST_LINES * 4) writer.lines.push(line);
}

function writeDiff(
  writer: Writer,
  diff: JsonDiff | OneSided,
  depth: number,
  label: string,
  tail: string,
): void {
  switch (diff.kind) {
    case 'same':
      return writeValue(writer, 'same', diff.value, depth, label, tail);
    case 'added':
    case 'removed':
      return writeValue(
        writer,
        diff.isIgnored ? 'ignored' : diff.kind,
        diff.value,
        depth,
        label,
        tail,
        diff.kind,
      );
    case 'ignored':
    case 'changed':
      return writeChange(writer, diff, depth, label, tail);
    case 'object':
      return writeBlock(writer, diff.members, depth, label, tail, '{}');
    case 'array': {
      const items = diff.items.map((item) => ({ key: undefined, diff: item.diff }));
      return writeBlock(writer, items, depth, label, tail, '[]');
    }
  }
}

function writeBlock(
  writer: Writer,
  parts: readonly { key: string | undefined; diff: JsonDiff | OneSided }[],
  depth: number,
  label: string,
  tail: string,
  [open, close]: string,
): void {
  both(writer, 'same', depth, `${label}${open}`);
  for (const [index, { key, diff }] of parts.entries()) {
    const comma = index < parts.length - 1 ? ',' : '';
    writeDiff(writer, diff, depth + 1, key === undefined ? '' : `${JSON.stringify(key)}: `, comma);
  }
  both(writer, 'same', depth, `${close}${tail}`);
}

function writeChange(
  writer: Writer,
  { kind, before, after }: JsonDiff & { kind: 'ignored' | 'changed' },
  depth: number,
  label: string,
  tail: string,
): void {
  if (typeof before === 'string' && typeof after === 'string' && kind === 'changed') {
    const inner = innerDiff(before, after, writer.options);
    if (inner !== undefined) {
      both(writer, 'same', depth, `${label}JSON in a text:`);
      return writeDiff(writer, inner, depth + 1, '', tail);
    }
    if (before.includes('\n') || after.includes('\n')) {
      both(writer, 'same', depth, `${label}text of several lines:`);
      return writeTexts(writer, before.split('\n'), after.split('\n'), depth + 1);
    }
  }
  const isNested = [before, after].some((side) => typeof side === 'object' && side !== null);
  if (isNested) {
    writeValue(
      writer,
      kind === 'ignored' ? kind : 'removed',
      before,
      depth,
      label,
      tail,
      'removed',
    );
    writeValue(writer, kind === 'ignored' ? kind : 'added', after, depth, label, tail, 'added');
    return;
  }
  const [one, other] = aroundDifference(
    `${label}${scalarText(before)}${tail}`,
    `${label}${scalarText(after)}${tail}`,
  );
  push(writer, { kind, depth, before: one, after: other });
}

/** Tools often answer with JSON inside a text. */
function innerDiff(before: string, after: string, options: DiffOptions): JsonDiff | undefined {
  if (!/^\s*[[{]/.test(before) || !/^\s*[[{]/.test(after)) return undefined;
  const [one, other] = [readJson(before), readJson(after)];
  return one === undefined || other === undefined ? undefined : diffJson(one, other, options);
}

function writeTexts(
  writer: Writer,
  before: readonly string[],
  after: readonly string[],
  depth: number,
): void {
  let gone: string[] = [];
  let fresh: string[] = [];
  // Lines in the same place are shown beside each other, with what differs in them.
  function close(): void {
    for (let at = 0; at < Math.max(gone.length, fresh.length); at += 1) {
      const [one, other] = [gone[at], fresh[at]];
      if (other === undefined) push(writer, { kind: 'removed', depth, before: cut(one ?? '') });
      else if (one === undefined) push(writer, { kind: 'added', depth, after: cut(other) });
      else {
        const [shownBefore, shownAfter] = aroundDifference(one, other);
        push(writer, { kind: 'changed', depth, before: shownBefore, after: shownAfter });
      }
    }
    [gone, fresh] = [[], []];
  }
  for (const { before: was, after: is } of alignKeys(before, after)) {
    const [one, other] = [before[was ?? -1], after[is ?? -1]];
    if (one !== undefined && other !== undefined) {
      close();
      both(writer, 'same', depth, one);
    } else if (one !== undefined) gone.push(one);
    else if (other !== undefined) fresh.push(other);
  }
  close();
}

function writeValue(
  writer: Writer,
  kind: 'same' | 'ignored' | 'added' | 'removed',
  value: JsonValue,
  depth: number,
  label: string,
  tail: string,
  side?: 'added' | 'removed',
): void {
  const line = (text: string, at: number) => {
    const shown = cut(text);
    const before = side === 'added' ? {} : { before: shown };
    const after = side === 'removed' ? {} : { after: shown };
    push(writer, { kind, depth: at, ...before, ...after });
  };
  const parts = partsOf(value);
  if (parts === undefined || parts.length === 0) {
    const text = parts === undefined ? scalarText(value) : isList(value) ? '[]' : '{}';
    return line(`${label}${text}${tail}`, depth);
  }
  const [open, close] = isList(value) ? '[]' : '{}';
  line(`${label}${open}`, depth);
  for (const [index, [key, part]] of parts.entries()) {
    const comma = index < parts.length - 1 ? ',' : '';
    const name = isList(value) ? '' : `${JSON.stringify(key)}: `;
    writeValue(writer, kind, part, depth + 1, name, comma, side);
  }
  line(`${close}${tail}`, depth);
}

function partsOf(value: JsonValue): [string, JsonValue][] | undefined {
  return isList(value) || isObject(value) ? Object.entries(value) : undefined;
}

function both(writer: Writer, kind: 'same', depth: number, text: string): void {
  const shown = cut(text);
  push(writer, { kind, depth, before: shown, after: shown });
}

function cut(text: string): string {
  return text.length <= LINE_LENGTH ? text : `${text.slice(0, LINE_LENGTH)}…`;
}

/** Two long lines, both cut so that the place where they differ is in sight. */
function aroundDifference(one: string, other: string): [string, string] {
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  const from = Math.max(one.length, other.length) <= LINE_LENGTH ? 0 : Math.max(same - 60, 0);
  const start = from === 0 ? '' : '…';
  return [`${start}${cut(one.slice(from))}`, `${start}${cut(other.slice(from))}`];
}

/** Long runs of equal lines as one that counts them. */
function leaveOut(lines: readonly DiffLine[]): DiffLine[] {
  const shown: DiffLine[] = [];
  let run: DiffLine[] = [];
  function close(isEnd: boolean): void {
    const head = shown.length === 0 ? 0 : CONTEXT;
    const foot = isEnd ? 0 : CONTEXT;
    const count = run.length - head - foot;
    if (count <= 1) shown.push(...run);
    else {
      const depth = run[head]?.depth ?? 0;
      shown.push(...run.slice(0, head), { kind: 'left-out', depth, count });
      shown.push(...run.slice(run.length - foot));
    }
    run = [];
  }
  for (const line of lines) {
    if (line.kind === 'same' || line.kind === 'ignored') {
      run.push(line);
      continue;
    }
    close(false);
    shown.push(line);
  }
  close(true);
  return shown;
}
