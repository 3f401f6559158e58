import { parseRegex, type RegexNode } from './regex-parse.ts';

/** What is asked at one step: of the next character, or of the place before it. */
type Step =
  | { kind: 'one'; accepts(character: string): boolean; next: number }
  | { kind: 'place'; what: Extract<RegexNode, { kind: 'place' }>['what']; next: number }
  | { kind: 'fork'; ways: number[] }
  | { kind: 'found' };

/** More steps than this are no expression that somebody typed. */
const MOST_STEPS = 2000;

/**
 * Makes a test that takes time in proportion to the length of a text, whatever the expression: all ways to match go
 * through the text side by side, none is tried twice. Undefined where the expression looks around or refers back, which
 * cannot be done like that, or is too large.
 */
export function compileRegex(
  source: string,
  flags: string,
): ((text: string) => boolean) | undefined {
  // The words of this flag are other ones.
  if (flags.includes('v')) return undefined;
  const isUnicode = flags.includes('u');
  const root = parseRegex(source, isUnicode);
  if (root === undefined) return undefined;
  const steps: Step[] = [{ kind: 'found' }];
  const start = toSteps(root, 0);
  if (start === undefined) return undefined;
  const isWord = acceptorOf('\\w', flags);

  /** Written from the end: every step knows what comes after it. */
  function toSteps(node: RegexNode, next: number): number | undefined {
    switch (node.kind) {
      case 'one':
        return add({ kind: 'one', accepts: acceptorOf(node.source, flags), next });
      case 'place':
        return add({ kind: 'place', what: node.what, next });
      case 'sequence': {
        let at: number | undefined = next;
        for (const part of node.parts.toReversed()) {
          if (at !== undefined) at = toSteps(part, at);
        }
        return at;
      }
      case 'choice': {
        const ways = node.options.map((option) => toSteps(option, next));
        return ways.includes(undefined)
          ? undefined
          : add({ kind: 'fork', ways: ways.filter((way) => way !== undefined) });
      }
      case 'repeat':
        return toRepeated(node, next);
    }
  }

  function toRepeated(
    { part, least, most }: Extract<RegexNode, { kind: 'repeat' }>,
    next: number,
  ): number | undefined {
    let at: number | undefined = next;
    if (most === undefined) {
      const fork: Step & { kind: 'fork' } = { kind: 'fork', ways: [next] };
      at = add(fork);
      const again = at === undefined ? undefined : toSteps(part, at);
      if (again === undefined) return undefined;
      fork.ways.push(again);
    } else {
      for (let count = least; count < most && at !== undefined; count += 1) {
        const once = toSteps(part, at);
        at = once === undefined ? undefined : add({ kind: 'fork', ways: [once, next] });
      }
    }
    for (let count = 0; count < least && at !== undefined; count += 1) at = toSteps(part, at);
    return at;
  }

  function add(step: Step): number | undefined {
    return steps.length < MOST_STEPS ? steps.push(step) - 1 : undefined;
  }

  const isMultiline = flags.includes('m');

  function isAt(what: string, before: string, after: string): boolean {
    if (what === 'start') return before === '' || (isMultiline && isLineEnd(before));
    if (what === 'end') return after === '' || (isMultiline && isLineEnd(after));
    const isEdge = (before !== '' && isWord(before)) !== (after !== '' && isWord(after));
    return isEdge === (what === 'edge');
  }

  return (text) => {
    const seen = new Uint32Array(steps.length);
    let waiting: number[] = [];
    let turn = 0;
    let before = '';
    for (let at = 0; at <= text.length; at += before.length) {
      const after = at === text.length ? '' : characterAt(text, at, isUnicode);
      turn += 1;
      const reached: number[] = [];
      // A match can begin at every place.
      const open = [...waiting, start];
      for (let index = open.pop(); index !== undefined; index = open.pop()) {
        const step = steps[index];
        if (step === undefined || seen[index] === turn) continue;
        seen[index] = turn;
        if (step.kind === 'found') return true;
        if (step.kind === 'fork') open.push(...step.ways);
        else if (step.kind === 'one') reached.push(index);
        else if (isAt(step.what, before, after)) open.push(step.next);
      }
      if (after === '') return false;
      waiting = [];
      for (const index of reached) {
        const step = steps[index];
        if (step?.kind === 'one' && step.accepts(after)) waiting.push(step.next);
      }
      before = after;
    }
    return false;
  };
}

function characterAt(text: string, at: number, isUnicode: boolean): string {
  return isUnicode ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text.charAt(at);
}

function isLineEnd(character: string): boolean {
  return /[\n\r\u2028\u2029]/.test(character);
}

/** Whether a piece of an expression takes a character, as the browser says; asked once for each character. */
function acceptorOf(source: string, flags: string): (character: string) => boolean {
  const regex = new RegExp(`^(?:${source})$`, flags.replaceAll(/[dgmy]/g, ''));
  const known = new Map<string, boolean>();
  return (character) => {
    const answer = known.get(character) ?? regex.test(character);
    known.set(character, answer);
    return answer;
  };
}
