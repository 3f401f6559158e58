import { useId } from 'preact/hooks';
import { stringValue } from '../../lib/json/parse.ts';
import type { Shape } from '../../lib/schema/field.ts';
import { numberJson } from '../../lib/state/server/schema-form.ts';
import { CompletionList } from './CompletionList.tsx';
import { FieldFrame } from './FieldFrame.tsx';
import type { FieldProps } from './field-props.ts';

interface LineFieldProps extends FieldProps {
  shape: Shape & { kind: 'text' | 'number' };
}

/** A text or a number. An empty field is left out; an empty text is sent when asked for. */
export function LineField(props: LineFieldProps) {
  const { form, path, name, shape, isRequired, isChosen = false } = props;
  const id = useId();
  const node = form.nodeAt(path);
  const isItem = typeof path.at(-1) === 'number';
  const isNumber = shape.kind === 'number';
  const text =
    node === undefined ? '' : (stringValue(form.text.value, node) ?? form.sourceAt(path) ?? '');
  const fault = form.faultAt(path);
  const { completer } = form;

  function type(typed: string): void {
    if (typed === '' && !isItem && !isChosen) form.remove(path);
    else form.set(path, isNumber ? numberJson(typed) : JSON.stringify(typed));
    completer?.type(name, typed);
  }

  const common = {
    id: `${id}-control`,
    'aria-describedby': `${id}-hint ${id}-fault`,
    'aria-invalid': fault !== undefined,
    'aria-required': isRequired,
    autocomplete: 'off',
    spellcheck: false,
  } as const;
  const isLong = !isNumber && (text.length > 80 || text.includes('\n'));
  return (
    <FieldFrame {...props} id={id} hints={toHints(shape, props)} fault={fault}>
      {isLong ? (
        <textarea
          {...common}
          class="field-text"
          rows={4}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
      ) : (
        <CompletionList
          completer={completer}
          name={name}
          onChoose={type}
          field={{
            ...common,
            inputMode: isNumber ? 'decimal' : 'text',
            placeholder: node === undefined ? 'not given' : '',
            value: text,
            onInput: (event: { currentTarget: HTMLInputElement }) =>
              type(event.currentTarget.value),
          }}
        />
      )}
      {!isNumber && !isItem && text === '' && (
        <p class="field-empty">
          {node === undefined ? (
            <button
              type="button"
              class="link"
              aria-label={`Send empty ${name}`}
              onClick={() => form.set(path, '""')}
            >
              Send empty
            </button>
          ) : (
            <>
              <span class="dim">An empty text is sent. </span>
              <button
                type="button"
                class="link"
                aria-label={`Leave out ${name}`}
                onClick={() => form.remove(path)}
              >
                Leave out
              </button>
            </>
          )}
        </p>
      )}
    </FieldFrame>
  );
}

function toHints(shape: LineFieldProps['shape'], { form, part }: FieldProps): string[] {
  const { examples } = form.fieldOf(part);
  const example = examples.length === 0 ? '' : `for example ${examples.slice(0, 3).join(', ')}`;
  if (shape.kind === 'number') {
    return [shape.isInteger ? 'whole number' : 'number', shape.limits, example];
  }
  const { minLength: min, maxLength: max, format = '', pattern } = shape;
  const length =
    min !== undefined && max !== undefined
      ? `${min} to ${max} characters`
      : min !== undefined
        ? `at least ${min} characters`
        : max === undefined
          ? ''
          : `at most ${max} characters`;
  return [format, length, pattern === undefined ? '' : `pattern ${pattern}`, example];
}
