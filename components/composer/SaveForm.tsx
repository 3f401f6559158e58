import { useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/Icon.tsx';

/** Saves what is written under a name. Values of secret headers are left out. */
export function SaveForm({ onSave }: { onSave: (name: string) => void }) {
  const [isAsking, setAsking] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function save(): void {
    const name = field.current?.value.trim() ?? '';
    if (name !== '') onSave(name);
    setAsking(false);
  }

  if (!isAsking) {
    return (
      <button type="button" class="bordered" onClick={() => setAsking(true)}>
        <Icon name="save" />
        Save…
      </button>
    );
  }
  return (
    <span class="send-save">
      <input
        ref={(element) => {
          field.current = element;
          element?.focus();
        }}
        aria-label="Name of the saved request"
        placeholder="Name"
        autocomplete="off"
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            save();
          }
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setAsking(false);
        }}
      />
      <button type="button" class="bordered" onClick={save}>
        Save
      </button>
    </span>
  );
}
