import type { Hand } from './hand.ts';
import type { Stage } from './stage.ts';
import type { View } from './view.ts';

/** What scenes act with. */
export interface Act {
  hand: Hand;
  stage: Stage;
  goTo: View['goTo'];
}

/** Something to look at, shown again in each size; it leaves the page as it found it. */
export interface Scene {
  name: string;
  /** What is there in every size, such as traffic; done once. */
  prepare?(act: Act): Promise<void>;
  show?(act: Act): Promise<void>;
  leave?(act: Act): Promise<void>;
}

/** Scenes that go on from each other, in a browser of their own. */
export interface Chapter {
  name: string;
  /** The page that it begins on. */
  page: 'panel.html' | 'popup.html' | 'grant.html';
  scenes: readonly Scene[];
}
