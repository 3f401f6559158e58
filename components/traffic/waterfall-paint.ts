import type { Segment } from '../../lib/state/time/waterfall-draw.ts';

/** Layers from the top; their heights and colours are in `WaterfallCell.css`. */
const LAYERS: readonly Segment['kind'][] = ['tick', 'user', 'open', 'waiting', 'queued'];

/** Width of the stripes by which the time of the user is told apart without colour, in px. */
const STRIPE = 2;

/** All pieces as the background of one element, which is the cheapest way to draw them. */
export function paintWaterfall(segments: readonly Segment[]): string {
  return LAYERS.map((kind) => {
    const pieces = segments.filter((segment) => segment.kind === kind);
    return toGradient(kind, kind === 'user' ? pieces.flatMap(toStripes) : pieces);
  }).join(', ');
}

function toGradient(kind: Segment['kind'], pieces: readonly Segment[]): string {
  if (pieces.length === 0) return 'none';
  const stops: string[] = [];
  let end = 0;
  for (const { from, to } of pieces) {
    if (from > end) stops.push(`transparent ${end}px ${from}px`);
    stops.push(`var(--waterfall-${kind}) ${from}px ${to}px`);
    end = to;
  }
  return `linear-gradient(90deg, ${stops.join(', ')}, transparent ${end}px)`;
}

function toStripes({ kind, from, to }: Segment): Segment[] {
  const stripes: Segment[] = [];
  for (let at = from; at < to; at += 2 * STRIPE) {
    stripes.push({ kind, from: at, to: Math.min(at + STRIPE, to) });
  }
  return stripes;
}
