import type { WrittenRule } from '../../redact/rules.ts';
import type { SettingStore } from '../view/column-choice.ts';

// What is on screen knows the state only.
export { ruleProblem } from '../../redact/rules.ts';
export type { WrittenRule } from '../../redact/rules.ts';

const NAME = 'secret-rules';
const KINDS: readonly WrittenRule['kind'][] = ['name', 'text', 'pattern'];

/** The user's own rules of what is secret, as they were kept; what is not one of them is passed over. */
export function readRules(settings: SettingStore | undefined): WrittenRule[] {
  try {
    const list: unknown = JSON.parse(settings?.read(NAME) ?? '[]');
    return Array.isArray(list) ? list.filter(isRule) : [];
  } catch {
    return [];
  }
}

/** Keeps them for this browser profile. */
export function writeRules(
  settings: SettingStore | undefined,
  rules: readonly WrittenRule[],
): void {
  settings?.write(NAME, JSON.stringify(rules));
}

function isRule(value: unknown): value is WrittenRule {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, text }: { kind?: unknown; text?: unknown } = value;
  return KINDS.some((known) => known === kind) && typeof text === 'string';
}
