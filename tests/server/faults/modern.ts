import type { Faults } from '../fault.ts';

/** Servers of revision 2026-07-28: one that behaves well, and its faults. */
export const modernFaults: Faults = {
  modern: { about: 'a small server of 2026-07-28 that behaves well', at: 'none', isModern: true },
};
