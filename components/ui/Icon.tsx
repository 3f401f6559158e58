const PATHS = {
  clear: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M4.2 4.2l7.6 7.6',
  replay: 'M12.5 5.5A5.2 5.2 0 1 0 13.2 9M13 2.5v3.2H9.8',
  send: 'M2.5 8h10M8.8 4.2 12.6 8l-3.8 3.8',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  copy: 'M6 5.5h7v8H6zM10 5.5v-3H3v8h3',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4M10.1 10.1l3.4 3.4',
  diagram:
    'M3.5 2.5v11M12.5 2.5v11M3.5 6h8M9.6 4.1 11.5 6 9.6 7.9M12.5 11h-8M6.4 9.1 4.5 11l1.9 1.9',
  server: 'M3 3h10v4H3zM3 9h10v4H3zM5.2 5h.1M5.2 11h.1',
  save: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.2h10',
  report: 'M4 2.5h8v11H4zM6.3 5.5h3.4M6.3 8h3.4M6.3 10.5h2',
  expand: 'M3 3h10v10H3zM5.5 8h5M8 5.5v5',
  collapse: 'M3 3h10v10H3zM5.5 8h5',
  options: 'M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.2 3.4v3.2M5.8 9.4v3.2',
} as const;

export type IconName = keyof typeof PATHS;

/** A 16 px sign that takes the colour of the text around it. Words beside it carry the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
