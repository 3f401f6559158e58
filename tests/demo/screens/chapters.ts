import { authorization } from './authorization-chapter.ts';
import { captures } from './captures-chapter.ts';
import type { Chapter } from './chapter.ts';
import { extremes } from './extremes-chapter.ts';
import { first } from './first-chapter.ts';
import { server } from './server-chapter.ts';
import { traffic } from './traffic-chapter.ts';
import { work } from './work-chapter.ts';

/** Every screen of the product. */
export const CHAPTERS: readonly Chapter[] = [
  first,
  traffic,
  server,
  work,
  authorization,
  captures,
  extremes,
];
