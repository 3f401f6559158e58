import type { ProfileHeader } from '../../lib/port/contract.ts';
import type { ConnectForm } from '../../lib/state/connect/connect-form.ts';
import { Icon } from '../ui/Icon.tsx';

/** Credentials that need no login. */
const QUICK_WAYS = [
  { label: 'Bearer token', header: { name: 'Authorization', value: 'Bearer ', secret: true } },
  { label: 'API key', header: { name: 'X-API-Key', value: '', secret: true } },
];

/** Headers that every request of the next connection carries. */
export function HeaderEditor({ form }: { form: ConnectForm }) {
  return (
    <div role="group" aria-labelledby="header-editor-title" class="header-editor">
      <h2 id="header-editor-title">Headers</h2>
      {form.headers.value.map((header, index) => (
        <div class="header-row" key={index}>
          <input
            class="wire"
            aria-label={`Name of header ${index + 1}`}
            placeholder="Authorization"
            spellcheck={false}
            autocomplete="off"
            value={header.name}
            onInput={(event) => form.changeHeader(index, { name: event.currentTarget.value })}
          />
          <ValueField
            label={`Value of header ${index + 1}`}
            header={header}
            onInput={(value) => form.changeHeader(index, { value })}
          />
          <label title="A secret is never written to disk">
            <input
              type="checkbox"
              checked={header.secret}
              onChange={(event) =>
                form.changeHeader(index, { secret: event.currentTarget.checked })
              }
            />
            Secret
          </label>
          <button
            type="button"
            aria-label={`Remove header ${index + 1}`}
            onClick={() => form.removeHeader(index)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <div class="header-adds">
        <button type="button" class="bordered" onClick={() => form.addHeader()}>
          <Icon name="plus" />
          Add a header
        </button>
        {QUICK_WAYS.map(({ label, header }) => (
          <button
            key={label}
            type="button"
            class="bordered"
            title="A header whose value is never written to disk"
            onClick={() => form.addHeader(header)}
          >
            <Icon name="plus" />
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

interface ValueFieldProps {
  label: string;
  header: ProfileHeader;
  onInput: (value: string) => void;
}

function ValueField({ label, header, onInput }: ValueFieldProps) {
  const common = {
    class: 'wire',
    'aria-label': label,
    placeholder: 'Bearer …',
    spellcheck: false,
    autocomplete: 'off',
    value: header.value,
    onInput: (event: { currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
  };
  return header.secret ? <input type="password" {...common} /> : <input type="text" {...common} />;
}
