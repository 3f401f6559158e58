import type { Bin, Density } from '../../lib/state/time/overview.ts';

/** Height of the drawing in units; outgoing grows upwards from the middle, incoming downwards. */
const HEIGHT = 100;
const MIDDLE = 50;
/** Share of the height that a single row has, to be seen beside a burst of thousands. */
const LEAST = 0.3;
const ERROR_HEIGHT = 30;

/** The density as three shapes. The browser scales them to the strip, so nothing here knows its size. */
export function OverviewGraph({ density }: { density: Density }) {
  const { bins, binMs, extent } = density;
  const width = Math.max((extent.to - extent.from) / binMs, 1);
  const most = bins.reduce((max, bin) => Math.max(max, bin.outgoing, bin.incoming), 1);
  const heightOf = (count: number) =>
    count === 0 ? 0 : MIDDLE * (LEAST + ((1 - LEAST) * Math.log1p(count)) / Math.log1p(most));

  function columns(of: keyof Bin, direction: 1 | -1): string {
    return bins
      .map((bin, index) => {
        if (bin[of] === 0) return '';
        const height = (direction * heightOf(bin[of])).toFixed(1);
        return `M${index} ${MIDDLE}v${height}h${Math.min(1, width - index).toFixed(2)}V${MIDDLE}z`;
      })
      .join('');
  }

  /** Flags at the upper edge: another shape, where colour tells nothing. */
  const half = width / 160;
  const errors = bins
    .map(({ errors: count }, index) => {
      if (count <= 0) return '';
      const x = Math.min(Math.max(index + 0.5, half), width - half);
      return `M${(x - half).toFixed(2)} 0h${(2 * half).toFixed(2)}L${x.toFixed(2)} ${ERROR_HEIGHT}z`;
    })
    .join('');

  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="overview-outgoing" d={columns('outgoing', -1)} />
      <path class="overview-incoming" d={columns('incoming', 1)} />
      <path class="overview-errors" d={errors} />
    </svg>
  );
}
