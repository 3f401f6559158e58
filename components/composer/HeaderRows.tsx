import type { Signal } from '@preact/signals';
import type { DraftHeader } from '../../lib/state/composer/composer-draft.ts';
import { Icon } from '../ui/Icon.tsx';

interface HeaderRowsProps {
  title: string;
  /** What one row is called for assistive technology. */
  name: string;
  headers: Signal<readonly DraftHeader[]>;
  isOpen?: boolean;
}

/** Headers that can be written. What was recorded is a secret of its origin until it is typed anew. */
export function HeaderRows({ title, name, headers, isOpen = false }: HeaderRowsProps) {
  function change(index: number, next: Partial<DraftHeader>): void {
    headers.value = headers.value.map((header, at) =>
      at === index ? { ...header, ...next } : header,
    );
  }

  const count = headers.value.length;
  return (
    <details class="send-headers" open={isOpen || count > 0}>
      <summary>
        {title}
        {count > 0 && ` (${count})`}
      </summary>
      {headers.value.map((header, index) => (
        <div class="send-header" key={index}>
          <input
            class="wire"
            aria-label={`${name} ${index + 1}, name`}
            placeholder="Name"
            spellcheck={false}
            autocomplete="off"
            value={header.name}
            onInput={(event) => change(index, { name: event.currentTarget.value })}
          />
          <input
            class="wire"
            aria-label={`${name} ${index + 1}, value`}
            placeholder="Value"
            spellcheck={false}
            autocomplete="off"
            value={header.value}
            onInput={(event) => change(index, { value: event.currentTarget.value, isTyped: true })}
          />
          <button
            type="button"
            aria-label={`Remove ${name.toLowerCase()} ${index + 1}`}
            onClick={() => (headers.value = headers.value.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="bordered"
        onClick={() => (headers.value = [...headers.value, { name: '', value: '', isTyped: true }])}
      >
        <Icon name="plus" />
        Add a header
      </button>
    </details>
  );
}
