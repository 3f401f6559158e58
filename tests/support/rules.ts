import type { Item } from '../../lib/capture/correlate/items.ts';
import { createAuthorizationDetectors } from '../../lib/lint/authorization-rules.ts';
import type { LintSource } from '../../lib/lint/collect.ts';
import type { Detectors } from '../../lib/lint/facts.ts';
import type { FamilyName } from '../../lib/lint/families.ts';
import { createFeatureDetectors } from '../../lib/lint/feature-rules.ts';
import type { Issue } from '../../lib/lint/issue.ts';
import { createLint, type Lint } from '../../lib/lint/lint.ts';

/** Families that are there at once. */
export function rulesAtHand(name: FamilyName): Detectors {
  return name === 'authorization' ? createAuthorizationDetectors() : createFeatureDetectors();
}

/** Issues with all rules at hand, so that nothing has to be waited for. */
export function startLint(correlation: LintSource): Lint {
  return createLint(correlation, undefined, rulesAtHand);
}

/** All issues of a log that is over. */
export function issuesOf(correlation: LintSource): readonly Issue[] {
  const lint = startLint(correlation);
  lint.apply(new Set<Item>(correlation.items));
  return lint.all;
}
