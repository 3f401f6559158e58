import { useSignal } from '@preact/signals';
import { memberSchema, type Shape } from '../../lib/schema/field.ts';
import type { FieldProps } from './field-props.ts';
import { GroupFrame } from './GroupFrame.tsx';

interface ObjectFieldProps extends FieldProps {
  shape: Shape & { kind: 'object' };
}

/** The members of an object: those that the schema names, and others where it allows them. */
export function ObjectField(props: ObjectFieldProps) {
  const { form, path, shape, View } = props;
  const node = form.nodeAt(path);
  const isRoot = path.length === 0;
  if (node?.kind !== 'object' && !isRoot) return <GroupFrame {...props} what="an object" />;
  const named = new Set(shape.properties.map(({ name }) => name));
  const held = node?.kind === 'object' ? node.members.map(({ key }) => key) : [];
  const others = [...new Set(held)].filter((key) => !named.has(key));
  const isOpen =
    shape.patterns.length > 0 ||
    shape.properties.length === 0 ||
    (shape.additional !== undefined && shape.additional !== true);
  const members = (
    <>
      {shape.properties.map(({ name, schema, isRequired }) => (
        <View
          View={View}
          key={name}
          form={form}
          part={schema}
          path={[...path, name]}
          name={name}
          isRequired={isRequired}
        />
      ))}
      {others.map((name) => (
        <View
          View={View}
          key={`+${name}`}
          form={form}
          part={memberSchema(shape, name) ?? true}
          path={[...path, name]}
          name={name}
          isRequired={false}
          actions={
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={() => form.remove([...path, name])}
            >
              Remove
            </button>
          }
        />
      ))}
      {isOpen && shape.additional !== undefined && <AddMember {...props} names={held} />}
    </>
  );
  if (isRoot) {
    const fault = form.faultAt(path);
    return (
      <div class="schema-fields">
        {shape.properties.length === 0 && others.length === 0 && (
          <p class="dim">The schema names no members: an empty object is sent.</p>
        )}
        {members}
        {fault !== undefined && <p class="error schema-wide">{fault}</p>}
      </div>
    );
  }
  return (
    <GroupFrame {...props} what="an object">
      <div class="schema-fields">{members}</div>
    </GroupFrame>
  );
}

function AddMember({ form, path, shape, names }: ObjectFieldProps & { names: readonly string[] }) {
  const name = useSignal('');
  const isTaken = names.includes(name.value);
  function add(): void {
    if (name.value === '' || isTaken) return;
    form.add([...path, name.value], memberSchema(shape, name.value) ?? true);
    name.value = '';
  }
  return (
    <div class="field field-new">
      <input
        class="wire"
        aria-label="Name of a further member"
        placeholder="further member"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={isTaken}
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" class="bordered" disabled={name.value === '' || isTaken} onClick={add}>
        Add member
      </button>
    </div>
  );
}
