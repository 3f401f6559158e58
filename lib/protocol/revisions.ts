import type { Era } from '../capture/wire-event.ts';

/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** What `initialize` offers: the newest legacy revision (basic/lifecycle, "Version Negotiation"). */
export const NEWEST_LEGACY_REVISION = LEGACY_REVISIONS[0];

export const MODERN_REVISIONS = ['2026-07-28'] as const;

/** Whether a server may choose this revision in its answer to `initialize`. */
export function isLegacyRevision(revision: string): boolean {
  return (LEGACY_REVISIONS as readonly string[]).includes(revision);
}

/** The era of a revision; `undefined` for one that this tool does not know. */
export function eraOf(revision: string): Era | undefined {
  if (isLegacyRevision(revision)) return 'legacy';
  return (MODERN_REVISIONS as readonly string[]).includes(revision) ? 'modern' : undefined;
}
