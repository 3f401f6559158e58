import type { Display } from '../support/xvfb.ts';

/** What a walk is given. */
export interface Stage {
  /** The package, a zip. */
  archive: string;
  display: Display;
  /** Empty; it is removed afterwards. */
  folder: string;
  /** Of the server. */
  url: string;
}
