import { ruleProblem } from '../../lib/state/detail/secret-rules.ts';
import type { WrittenRule } from '../../lib/state/detail/secret-rules.ts';

interface RulesProps {
  rules: readonly WrittenRule[];
  change(rules: readonly WrittenRule[]): void;
  lookAgain(): void;
}

const KINDS: Record<WrittenRule['kind'], string> = {
  name: 'what is called',
  text: 'the text',
  pattern: 'what matches',
};

/** The user's own rules of what is secret; they are kept, and hold for every export. */
export function SecretRules({ rules, change, lookAgain }: RulesProps) {
  function edit(at: number, part: Partial<WrittenRule>): void {
    change(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  }
  return (
    <details class="export-rules">
      <summary>
        Rules of your own{rules.length > 0 && ` (${rules.length.toLocaleString('en')})`}
      </summary>
      <p class="dim">
        They are kept for all exports: names of headers, parameters and members of JSON; texts; and
        regular expressions.
      </p>
      <ul>
        {rules.map((rule, index) => {
          const number = index + 1;
          const problem = ruleProblem(rule);
          return (
            <li key={index}>
              Hide{' '}
              <select
                aria-label={`Kind of rule ${number}`}
                value={rule.kind}
                onChange={({ currentTarget: { value } }) => {
                  const kind = value === 'text' || value === 'pattern' ? value : 'name';
                  edit(index, { kind });
                }}
              >
                {Object.entries(KINDS).map(([kind, words]) => (
                  <option key={kind} value={kind}>
                    {words}
                  </option>
                ))}
              </select>{' '}
              <input
                type="text"
                aria-label={`Rule ${number}`}
                value={rule.text}
                spellcheck={false}
                aria-invalid={problem !== undefined}
                aria-describedby={problem === undefined ? undefined : `rule-problem-${number}`}
                onInput={(event) => edit(index, { text: event.currentTarget.value })}
              />{' '}
              <button
                type="button"
                class="link"
                aria-label={`Remove rule ${number}`}
                onClick={() => change(rules.filter((_, other) => other !== index))}
              >
                Remove
              </button>
              {problem !== undefined && (
                <span class="error" id={`rule-problem-${number}`}>
                  {' '}
                  {problem}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p class="export-buttons">
        <button
          type="button"
          class="bordered"
          onClick={() => change([...rules, { kind: 'name', text: '' }])}
        >
          Add a rule
        </button>
        <button
          type="button"
          class="bordered"
          disabled={rules.some((rule) => ruleProblem(rule) !== undefined)}
          onClick={lookAgain}
        >
          Look again with these rules
        </button>
      </p>
    </details>
  );
}
