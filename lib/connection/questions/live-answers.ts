import type { WireFact } from '../../capture/wire-event.ts';
import type { HubFunctions } from '../../port/contract.ts';
import type { Survival } from '../survival/survival.ts';

export interface LiveAnswersParts {
  survival: Pick<Survival, 'answers'>;
  record(fact: WireFact, connectionId: string): void;
}

/** Lets pages see and change how an open connection answers questions; a change is a row of its own. */
export function createLiveAnswers(parts: LiveAnswersParts): Pick<HubFunctions, 'answers'> {
  return {
    async answers(connectionId, policies) {
      const now = parts.survival.answers(connectionId, policies);
      if (now !== undefined && policies !== undefined) {
        const { elicitation, sampling, roots } = now;
        const told = typeof roots === 'string' ? roots : roots.map(({ uri }) => uri).join(' ');
        const what = `Answers from now on: elicitation ${elicitation}, sampling ${sampling}, roots ${told || 'none'}`;
        parts.record({ kind: 'override-chosen', what }, connectionId);
      }
      return now;
    },
  };
}
