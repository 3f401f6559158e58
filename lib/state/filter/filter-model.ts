import { batch, computed, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import type { FilterOption } from './filter-completion.ts';
import type { FilterLanguage, FilterSubject, Matcher } from './filter-language.ts';
import { isOfTypes } from './filter-types.ts';
import type { RowSource } from '../view/rows.ts';
import type { FilterSettings, TimeRange } from '../view/view-settings.ts';

/** What of the log is to be seen, as the user says it. */
export interface FilterModel extends FilterSettings {
  /** What is wrong with the text. The rest of it holds. */
  problem: ReadonlySignal<string | undefined>;
  /** Whether anything could be hidden by it. */
  isActive: ReadonlySignal<boolean>;
  /** How the text could go on at the caret; nothing before `prepare` has had its effect. */
  complete(caret: number): readonly FilterOption[];
  /** Loads what completion needs; to be called when the filter gets the focus. */
  prepare(): void;
  /** Lets everything through again, the range included. */
  clear(): void;
  /** The rules as they stand; undefined where everything passes. A reader in an effect is told of changes. */
  rules(): FilterRules | undefined;
}

/** A filter that is ready to be asked. */
export interface FilterRules {
  matches(subject: FilterSubject): boolean;
  /** Facts besides the item itself on which the answer depends. */
  needs: { text: boolean; issues: boolean; connections: boolean };
}

export interface FilterParts {
  /** Code of its own: without a text there is no need for it. */
  loadLanguage(): Promise<FilterLanguage>;
  hasIssue(item: Item): boolean;
}

/** Creates the filter of a log by its settings. */
export function createFilterModel(
  source: RowSource & { items: readonly Item[] },
  { text, isInverted, types, range }: FilterSettings,
  parts: FilterParts,
): FilterModel {
  const language = signal<FilterLanguage | undefined>(undefined);
  let isLoading = false;

  function load(): void {
    if (isLoading) return;
    isLoading = true;
    void parts.loadLanguage().then((loaded) => {
      language.value = loaded;
    });
  }

  const parsed = computed(() => {
    if (text.value.trim() === '') return undefined;
    if (language.value === undefined) load();
    return language.value?.parse(text.value);
  });

  const matcher = computed<Matcher | undefined>(() => {
    const filter = parsed.value;
    if (filter === undefined || filter.questions.length === 0) return undefined;
    return language.value?.compile(filter, { source, hasIssue: parts.hasIssue });
  });

  function isActiveIn(item: Item, { from, to }: TimeRange): boolean {
    return item.started.wallTime <= to && endOf(item) >= from;
  }

  return {
    text,
    isInverted,
    types,
    range,
    problem: computed(() => parsed.value?.problem),
    isActive: computed(
      () => matcher.value !== undefined || types.value.size > 0 || range.value !== undefined,
    ),
    complete: (caret) => language.value?.complete(text.value, caret, source) ?? [],
    prepare: load,
    clear() {
      batch(() => {
        text.value = '';
        isInverted.value = false;
        types.value = new Set();
        range.value = undefined;
      });
    },
    rules() {
      const [chosen, within, terms] = [types.value, range.value, matcher.value];
      const wanted = !isInverted.value;
      if (chosen.size === 0 && within === undefined && terms === undefined) return undefined;
      return {
        matches(subject) {
          const { item } = subject;
          if (within !== undefined && !isActiveIn(item, within)) return false;
          if (chosen.size > 0 && !isOfTypes(item, chosen, source, parts.hasIssue)) return false;
          return terms === undefined || terms.matches(subject) === wanted;
        },
        needs: {
          text: terms?.needs.text ?? false,
          issues: chosen.has('issues') || (terms?.needs.issues ?? false),
          connections: terms?.needs.connections ?? false,
        },
      };
    },
  };
}

/** When an item was active last; what still runs is active for ever. */
function endOf(item: Item): number {
  const end = item.ended ?? (item.kind === 'lifecycle' ? item.started : undefined);
  return end?.wallTime ?? Infinity;
}
