import type { Lifeline } from './sequence-lifelines.ts';
import type { SequenceStep } from './sequence-step.ts';

const ARROWS: Record<Exclude<SequenceStep['kind'], 'note'>, string> = {
  call: '->>',
  answer: '-->>',
  signal: '-)',
};

/** A diagram as Mermaid text, line by line (mermaid.js.org, "Sequence diagrams"). */
export function* toMermaid(
  lifelines: readonly Lifeline[],
  steps: readonly SequenceStep[],
): Generator<string> {
  const names = new Map(lifelines.map(({ id }, index) => [id, `P${index + 1}`]));
  const nameOf = (id: string) => names.get(id) ?? 'P1';
  yield 'sequenceDiagram\n';
  for (const { id, title, note } of lifelines) {
    yield `    participant ${nameOf(id)} as ${escape(`${title} (${note})`)}\n`;
  }
  for (const { kind, from, to, label, state } of steps) {
    const text = escape(state === 'pending' ? `${label} (pending)` : label);
    if (kind === 'note') {
      const over = from === to ? nameOf(from) : `${nameOf(from)},${nameOf(to)}`;
      yield `    Note over ${over}: ${text}\n`;
    } else {
      const arrow = state === 'error' && kind === 'answer' ? '--x' : ARROWS[kind];
      yield `    ${nameOf(from)}${arrow}${nameOf(to)}: ${text}\n`;
    }
  }
}

/**
 * Text that Mermaid shows as it is. What may mean something to it (`;`, `#`, `%%`, `<br>`, arrows, and keywords
 * such as `end` and `wrap:`) is written as the entity of its code point, which Mermaid reads before it parses.
 */
function escape(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return '#8203;';
  return line
    .replaceAll(/[^\p{L}\p{M}\p{N} ./_,()'?!=*]/gu, (character) => `#${character.codePointAt(0)};`)
    .replaceAll(/(?<![\p{L}\p{N}#])(e)(?=nd\b)/giu, (letter) => `#${letter.codePointAt(0)};`);
}
