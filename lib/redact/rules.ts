/** Rules of the user's own, beside those that always hold. */
export interface SecretRules {
  /** Whether a header, parameter or member of this name, in lower case, holds a secret. */
  isSecretName(name: string): boolean;
  /** Whatever they match is a secret. Each has the flag `g`. */
  patterns: readonly RegExp[];
}

/** No rules of the user's own. */
export const NO_RULES: SecretRules = { isSecretName: () => false, patterns: [] };

/** A rule as it is written down: `name` of what holds a secret, a `text` that is one, or a `pattern` of those. */
export interface WrittenRule {
  kind: 'name' | 'text' | 'pattern';
  text: string;
}

/** What is wrong with a rule, in one sentence; undefined where nothing is. */
export function ruleProblem({ kind, text }: WrittenRule): string | undefined {
  if (text.trim() === '') return 'Write what the rule is to find, or remove it.';
  if (kind === 'text' && text.trim().length < SHORTEST) {
    return `A text of fewer than ${SHORTEST} characters would be found everywhere.`;
  }
  if (kind !== 'pattern') return undefined;
  try {
    return new RegExp(text).test('') ? 'This expression matches the empty text.' : undefined;
  } catch (error) {
    return error instanceof Error ? `${error.message}.` : 'This is no regular expression.';
  }
}

const SHORTEST = 3;

/** Written rules in the form in which they are followed; those with a problem are passed over. */
export function toSecretRules(written: readonly WrittenRule[]): SecretRules {
  const sound = written.filter((rule) => ruleProblem(rule) === undefined);
  const names = new Set(
    sound.flatMap(({ kind, text }) => (kind === 'name' ? [text.trim().toLowerCase()] : [])),
  );
  return {
    isSecretName: (name) => names.has(name),
    patterns: sound.flatMap(({ kind, text }) => {
      if (kind === 'name') return [];
      return [new RegExp(kind === 'text' ? escaped(text.trim()) : text, 'g')];
    }),
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
