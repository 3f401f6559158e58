import type { Run } from './hand.ts';

export type Theme = 'light' | 'dark';

export interface Size {
  width: number;
  height: number;
}

/** A browser with Wirescope in it, and the page that is in front. */
export interface View {
  run: Run;
  /** Clicks the first element of a selector with the pointer, where what a script does is not enough. */
  click?(selector: string): Promise<void>;
  /** Opens a page of the extension. */
  goTo(file: string): Promise<void>;
  resize(size: Size): Promise<void>;
  setTheme(theme: Theme): Promise<void>;
  /** What is on screen, as PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens a browser with a profile of its own. */
export type OpenView = (extension: string) => Promise<View>;
