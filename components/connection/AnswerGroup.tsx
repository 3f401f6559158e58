import type { AnswerOptions } from '../../lib/state/answers/answer-options.ts';
import { Icon } from '../ui/Icon.tsx';
import { OptionSelect } from './OptionSelect.tsx';

const ELICITATION = [
  ['ask', 'Ask me'],
  ['defaults', 'Accept with the defaults'],
  ['decline', 'Decline'],
  ['undeclared', 'Do not declare'],
] as const;
const SAMPLING = [
  ['ask', 'Ask me'],
  ['refuse', 'Refuse'],
  ['undeclared', 'Do not declare'],
] as const;
const ROOTS = [
  ['list', 'Tell this list'],
  ['ask', 'Ask me'],
  ['undeclared', 'Do not declare'],
] as const;

/** How the server's own requests are answered. */
export function AnswerGroup({ answers }: { answers: AnswerOptions }) {
  return (
    <fieldset>
      <legend>Answers</legend>
      <OptionSelect
        label="Elicitation"
        value={answers.elicitation.value}
        choices={ELICITATION}
        onChange={(policy) => (answers.elicitation.value = policy)}
      />
      <OptionSelect
        label="Sampling"
        value={answers.sampling.value}
        choices={SAMPLING}
        onChange={(policy) => (answers.sampling.value = policy)}
      />
      <OptionSelect
        label="Roots"
        value={answers.rootsPolicy.value}
        choices={ROOTS}
        fault={answers.fault.value}
        onChange={(policy) => (answers.rootsPolicy.value = policy)}
      />
      {answers.rootsPolicy.value === 'list' && <RootList answers={answers} />}
    </fieldset>
  );
}

function RootList({ answers }: { answers: AnswerOptions }) {
  return (
    <>
      {answers.roots.value.map((root, index) => (
        <div class="header-row" key={index}>
          <input
            class="wire"
            aria-label={`URI of root ${index + 1}`}
            placeholder="file:///home/ada/project"
            spellcheck={false}
            autocomplete="off"
            value={root.uri}
            onInput={(event) => answers.changeRoot(index, { uri: event.currentTarget.value })}
          />
          <input
            class="wire"
            aria-label={`Name of root ${index + 1}`}
            placeholder="name (optional)"
            spellcheck={false}
            autocomplete="off"
            value={root.name}
            onInput={(event) => answers.changeRoot(index, { name: event.currentTarget.value })}
          />
          <button
            type="button"
            aria-label={`Remove root ${index + 1}`}
            onClick={() => answers.removeRoot(index)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" class="bordered option-add" onClick={() => answers.addRoot()}>
        <Icon name="plus" />
        Add a root
      </button>
    </>
  );
}
