/** A regular expression as far as it is regular: no look-around, no reference back. */
export type RegexNode =
  /** One character, by the piece of the expression that names it. */
  | { kind: 'one'; source: string }
  | { kind: 'place'; what: 'start' | 'end' | 'edge' | 'inside' }
  | { kind: 'sequence'; parts: RegexNode[] }
  | { kind: 'choice'; options: RegexNode[] }
  /** `most` is undefined where there is no bound. */
  | { kind: 'repeat'; part: RegexNode; least: number; most: number | undefined };

const PLACES = { '^': 'start', $: 'end', '\\b': 'edge', '\\B': 'inside' } as const;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;
const GROUP = /^\((?:\?:|\?<[^=!>][^>]*>)?/;

/** Thrown out of what is not regular. */
class NotRegular extends Error {}

/** Reads an expression that the browser accepts; undefined where it is more than regular. */
export function parseRegex(source: string, isUnicode: boolean): RegexNode | undefined {
  let at = 0;
  const atomPattern = isUnicode
    ? /^\\(?:u\{[\dA-Fa-f]+\}|u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|p\{[^}]*\}|P\{[^}]*\}|[^1-9k])/u
    : /^\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|[^1-9ck])/;

  function readChoice(): RegexNode {
    const options = [readSequence()];
    while (source[at] === '|') {
      at += 1;
      options.push(readSequence());
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  function readSequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      parts.push(readRepeated(readAtom()));
    }
    return { kind: 'sequence', parts };
  }

  function readRepeated(part: RegexNode): RegexNode {
    const [quantifier] = QUANTIFIER.exec(source.slice(at, at + 40)) ?? [];
    if (quantifier === undefined) return part;
    at += quantifier.length;
    if (quantifier.startsWith('*')) return { kind: 'repeat', part, least: 0, most: undefined };
    if (quantifier.startsWith('+')) return { kind: 'repeat', part, least: 1, most: undefined };
    if (quantifier.startsWith('?')) return { kind: 'repeat', part, least: 0, most: 1 };
    const [, least = '0', comma, most] = /^\{(\d+)(,?)(\d*)/.exec(quantifier) ?? [];
    const bound = comma === '' ? Number(least) : most === '' ? undefined : Number(most);
    return { kind: 'repeat', part, least: Number(least), most: bound };
  }

  function readAtom(): RegexNode {
    if (source[at] === '(') return readGroup();
    const text = take();
    if (Object.hasOwn(PLACES, text)) {
      return { kind: 'place', what: PLACES[text as keyof typeof PLACES] };
    }
    return { kind: 'one', source: text };
  }

  function readGroup(): RegexNode {
    const [opening = '('] = GROUP.exec(source.slice(at)) ?? [];
    at += opening.length;
    // Looking around, or switching flags.
    if (source[at] === '?') throw new NotRegular();
    const inside = readChoice();
    at += 1;
    return inside;
  }

  /** The piece of the expression that names one character, or a place. */
  function take(): string {
    const start = at;
    const sign = source[at];
    if (sign === '\\') {
      const [escape] = atomPattern.exec(source.slice(at, at + 80)) ?? [];
      if (escape === undefined) throw new NotRegular();
      at += escape.length;
    } else if (sign === '[') at = endOfClass();
    else at += isUnicode ? String.fromCodePoint(source.codePointAt(at) ?? 0).length : 1;
    return source.slice(start, at);
  }

  function endOfClass(): number {
    for (let end = at + 1; end < source.length; end += 1) {
      if (source[end] === '\\') end += 1;
      else if (source[end] === ']') return end + 1;
    }
    return source.length;
  }

  try {
    return readChoice();
  } catch (error) {
    if (error instanceof NotRegular) return undefined;
    throw error;
  }
}
