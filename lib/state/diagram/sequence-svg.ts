import { formatClock } from '../../text.ts';
import type { Lifeline } from './sequence-lifelines.ts';
import type { SequenceStep } from './sequence-step.ts';

const [TIMES, LANE, HEAD, STEP, MARGIN] = [92, 220, 52, 34, 12];
/** What a character of the font at 11 px takes, on average. */
const CHARACTER = 6;

/** Light whatever the panel is: the file is for paper and for web pages. */
const COLOURS = {
  paper: '#ffffff',
  ink: '#1f2023',
  dim: '#5a5f66',
  line: '#b9bdc4',
  done: '#0b57d0',
  pending: '#5a5f66',
  warning: '#8a4b00',
  error: '#b3261e',
  note: '#fff6da',
} as const;

/** A diagram as an SVG file that needs nothing else, line by line; text stays text. */
export function* toSvg(
  lifelines: readonly Lifeline[],
  steps: readonly SequenceStep[],
): Generator<string> {
  const width = TIMES + lifelines.length * LANE + MARGIN;
  const height = HEAD + steps.length * STEP + 2 * MARGIN;
  const places = new Map(lifelines.map(({ id }, index) => [id, TIMES + index * LANE + LANE / 2]));
  const placeOf = (id: string) => places.get(id) ?? TIMES + LANE / 2;
  yield `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">\n`;
  yield `<defs>${markers()}</defs>\n`;
  yield `<rect width="${width}" height="${height}" fill="${COLOURS.paper}"/>\n`;
  for (const line of lifelines) yield `${lifelineSvg(line, placeOf(line.id), height)}\n`;
  for (const [index, step] of steps.entries()) {
    const y = HEAD + MARGIN + index * STEP;
    yield `${stepSvg(step, placeOf(step.from), placeOf(step.to), y)}\n`;
  }
  yield '</svg>\n';
}

function markers(): string {
  const states = ['done', 'pending', 'warning', 'error'] as const;
  return states
    .map(
      (state) =>
        `<marker id="head-${state}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="${COLOURS[state]}"/></marker>` +
        `<marker id="open-${state}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8" fill="none" stroke="${COLOURS[state]}"/></marker>`,
    )
    .join('');
}

function lifelineSvg({ title, note }: Lifeline, x: number, height: number): string {
  const room = Math.floor(LANE / CHARACTER) - 4;
  return (
    `<g><title>${escape(`${title}, ${note}`)}</title>` +
    `<line x1="${x}" y1="${HEAD}" x2="${x}" y2="${height}" stroke="${COLOURS.line}"/>` +
    `<rect x="${x - LANE / 2 + 8}" y="8" width="${LANE - 16}" height="${HEAD - 12}" rx="2" fill="${COLOURS.paper}" stroke="${COLOURS.line}"/>` +
    text(x, 25, cut(title, room), COLOURS.ink, 'font-weight="600"') +
    `${text(x, 40, cut(note, room), COLOURS.dim)}</g>`
  );
}

function stepSvg(step: SequenceStep, from: number, to: number, y: number): string {
  const { kind, label, state, time } = step;
  const left = Math.min(from, to);
  const span = Math.abs(from - to);
  const middle = left + span / 2;
  const colour = COLOURS[state];
  const title = `<title>${escape(`${formatClock(time)} ${label}`)}</title>`;
  const clock = text(MARGIN, y + 22, formatClock(time), COLOURS.dim, 'text-anchor="start"');
  if (kind === 'note') {
    const width = span + LANE - 24;
    const words = cut(label, Math.floor(width / CHARACTER) - 2);
    const box = `<rect x="${middle - width / 2}" y="${y + 6}" width="${width}" height="22" rx="2" fill="${COLOURS.note}" stroke="${COLOURS.line}"/>`;
    return `<g>${title}${clock}${box}${text(middle, y + 21, words, COLOURS.ink)}</g>`;
  }
  const words = cut(label, Math.floor((span || LANE) / CHARACTER) - 3);
  const dashes = kind === 'answer' || state === 'pending' ? ' stroke-dasharray="4 3"' : '';
  const head = kind === 'signal' ? 'open' : 'head';
  // Without an answer, the arrow does not end in an arrival that is over.
  const line = `<line x1="${from}" y1="${y + 26}" x2="${to}" y2="${y + 26}" stroke="${colour}"${dashes} marker-end="url(#${head}-${state})"/>`;
  const sign = state === 'pending' ? ' …' : state === 'error' ? ' ✕' : '';
  return `<g>${title}${clock}${text(middle, y + 19, words + sign, state === 'done' ? COLOURS.ink : colour)}${line}</g>`;
}

function text(x: number, y: number, words: string, colour: string, more = ''): string {
  const anchor = more.includes('text-anchor') ? '' : ' text-anchor="middle"';
  return `<text x="${x}" y="${y}"${anchor}${more === '' ? '' : ` ${more}`} fill="${colour}">${escape(words)}</text>`;
}

function cut(words: string, room: number): string {
  return words.length <= room ? words : `${words.slice(0, Math.max(room - 1, 1))}…`;
}

/** XML has no way at all to write most control characters, nor half a character. */
function escape(words: string): string {
  return words
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
