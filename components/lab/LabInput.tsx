import { useId } from 'preact/hooks';

interface LabInputProps {
  label: string;
  value: string;
  isNumber?: boolean;
  isWrong?: boolean;
  proposals?: readonly string[];
  onInput: (value: string) => void;
}

/** A field with its label before it. */
export function LabInput(props: LabInputProps) {
  const { label, value, isNumber, isWrong = false, proposals = [], onInput } = props;
  const listId = useId();
  return (
    <label class="lab-field">
      <span>{label}</span>
      <input
        type="text"
        class={isNumber === true ? undefined : 'wire'}
        list={proposals.length === 0 ? undefined : listId}
        inputMode={isNumber === true ? 'numeric' : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={isWrong}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {proposals.length > 0 && (
        <datalist id={listId}>
          {proposals.map((proposal) => (
            <option key={proposal}>{proposal}</option>
          ))}
        </datalist>
      )}
    </label>
  );
}
