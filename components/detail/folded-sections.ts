import { signal } from '@preact/signals';

/** Titles of the sections that the user has folded; they stay so from row to row. */
export const foldedSections = signal<ReadonlySet<string>>(new Set());

/** Folds a section, or unfolds it. */
export function toggleSection(title: string): void {
  const next = new Set(foldedSections.value);
  if (!next.delete(title)) next.add(title);
  foldedSections.value = next;
}
