import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { AnswerPolicies } from '../../port/contract.ts';

/** A root as typed; an empty name is left out. */
export interface RootRow {
  uri: string;
  name: string;
}

/** How the next connection answers what its server asks. */
export interface AnswerOptions {
  elicitation: Signal<AnswerPolicies['elicitation']>;
  sampling: Signal<AnswerPolicies['sampling']>;
  rootsPolicy: Signal<'list' | 'ask' | 'undeclared'>;
  roots: ReadonlySignal<readonly RootRow[]>;
  /** What is wrong with the roots. */
  fault: ReadonlySignal<string | undefined>;
  addRoot(): void;
  changeRoot(index: number, change: Partial<RootRow>): void;
  removeRoot(index: number): void;
  toPolicies(): AnswerPolicies;
}

/** Creates the policies for answers, as `defaults` has them. */
export function createAnswerOptions(defaults: AnswerPolicies): AnswerOptions {
  const { roots: told } = defaults;
  const elicitation = signal(defaults.elicitation);
  const sampling = signal(defaults.sampling);
  const rootsPolicy = signal<'list' | 'ask' | 'undeclared'>(Array.isArray(told) ? 'list' : told);
  const roots = signal<readonly RootRow[]>(
    Array.isArray(told) ? told.map(({ uri, name }) => ({ uri, name: name ?? '' })) : [],
  );

  return {
    elicitation,
    sampling,
    rootsPolicy,
    roots,
    fault: computed(() => {
      if (rootsPolicy.value !== 'list') return undefined;
      const wrong = roots.value.findIndex(({ uri }) => !URL.canParse(uri));
      return wrong < 0
        ? undefined
        : `Root ${wrong + 1} needs a URI, such as file:///home/ada/project.`;
    }),
    addRoot() {
      roots.value = [...roots.value, { uri: '', name: '' }];
    },
    changeRoot(index, change) {
      roots.value = roots.value.map((root, at) => (at === index ? { ...root, ...change } : root));
    },
    removeRoot(index) {
      roots.value = roots.value.filter((_, at) => at !== index);
    },
    toPolicies() {
      const list = roots.value.map(({ uri, name }) => (name === '' ? { uri } : { uri, name }));
      return {
        elicitation: elicitation.value,
        sampling: sampling.value,
        roots: rootsPolicy.value === 'list' ? list : rootsPolicy.value,
      };
    },
  };
}
