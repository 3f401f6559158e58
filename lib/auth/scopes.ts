/** The scopes that a parameter lists. */
export function scopesIn(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter((scope) => scope !== '');
}

/** All of them, each once, in order. */
export function union(...lists: (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}

/** Whether all that is wanted is among what is there. */
export function covers(there: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) => there.includes(scope));
}

interface ScopeSources {
  /** What the user wants asked, whatever the server says. */
  wanted: string | undefined;
  /** `scope` of the challenge. */
  challenged: readonly string[];
  /** `scopes_supported` of the resource. */
  ofResource: readonly string[] | undefined;
  /** What a token that is held was asked with. */
  before: readonly string[];
  /** Whether what the challenge names is known to be missing. */
  isStepUp: boolean;
}

/**
 * What to ask for ("Scope Selection Strategy"): what the challenge names, else all that the resource has, else
 * nothing; together with what was asked before, so that a step up loses nothing.
 */
export function chooseScopes({
  wanted,
  challenged,
  ofResource,
  before,
  isStepUp,
}: ScopeSources): string[] {
  const asked = scopesIn(wanted);
  const proposed = challenged.length > 0 ? challenged : ofResource;
  return union(before, asked.length > 0 ? asked : proposed, isStepUp ? challenged : []);
}

/** `offline_access` is asked for only where the authorization server has it, and scopes are named at all. */
export function withOfflineAccess(
  scopes: readonly string[],
  supported: readonly string[] | undefined,
): string[] {
  const isOffered = supported?.includes('offline_access') === true;
  return isOffered && scopes.length > 0 ? union(scopes, ['offline_access']) : [...scopes];
}
