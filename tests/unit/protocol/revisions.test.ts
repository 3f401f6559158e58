import { describe, expect, test } from 'vitest';
import {
  eraOf,
  isLegacyRevision,
  LEGACY_REVISIONS,
  NEWEST_LEGACY_REVISION,
} from '../../../lib/protocol/revisions.ts';

describe('revisions', () => {
  test('of the legacy era begin with `initialize`, the newest is offered', () => {
    expect(NEWEST_LEGACY_REVISION).toBe('2025-11-25');
    expect(LEGACY_REVISIONS).toEqual([...LEGACY_REVISIONS].sort().toReversed());
    for (const revision of LEGACY_REVISIONS) expect(isLegacyRevision(revision)).toBe(true);
  });

  test.each([
    ['2025-11-25', 'legacy'],
    ['2025-03-26', 'legacy'],
    ['2024-11-05', 'legacy'],
    ['2026-07-28', 'modern'],
    ['2099-01-01', undefined],
    ['1.0', undefined],
    ['', undefined],
    ['2025-11-25 ', undefined],
  ])('%j is %s', (revision, era) => {
    expect(eraOf(revision)).toBe(era);
    expect(isLegacyRevision(revision)).toBe(era === 'legacy');
  });
});
