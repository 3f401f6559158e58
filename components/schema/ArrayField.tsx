import { itemSchema, type Shape } from '../../lib/schema/field.ts';
import type { FieldProps } from './field-props.ts';
import { GroupFrame } from './GroupFrame.tsx';

interface ArrayFieldProps extends FieldProps {
  shape: Shape & { kind: 'array' };
}

/** More items than this are edited as JSON: a form of them would be of no use. */
const MAX_ITEMS = 200;

/** The items of a list, each of which can be moved and removed. */
export function ArrayField(props: ArrayFieldProps) {
  const { form, path, name, shape, View } = props;
  const node = form.nodeAt(path);
  if (node?.kind !== 'array') return <GroupFrame {...props} what="a list" />;
  const count = node.items.length;
  const next = itemSchema(shape, count);
  const title = (at: number) => `${name === '' ? 'item' : name} ${at + 1}`;
  return (
    <GroupFrame {...props} what="a list">
      <div class="schema-items">
        {node.items.slice(0, MAX_ITEMS).map((_, at) => (
          <View
            View={View}
            key={at}
            form={form}
            part={itemSchema(shape, at) ?? true}
            path={[...path, at]}
            name={title(at)}
            isRequired={false}
            actions={<ItemActions {...props} at={at} count={count} title={title(at)} />}
          />
        ))}
        {count > MAX_ITEMS && (
          <p class="dim">
            {(count - MAX_ITEMS).toLocaleString('en')} more items: see them as JSON.
          </p>
        )}
        {next === undefined ? (
          <p class="dim">There may be no more items.</p>
        ) : (
          <button
            type="button"
            class="bordered schema-add"
            aria-label={`Add item to ${name}`}
            onClick={() => form.add([...path, count], next)}
          >
            Add item
          </button>
        )}
      </div>
    </GroupFrame>
  );
}

interface ItemActionsProps extends ArrayFieldProps {
  at: number;
  count: number;
  title: string;
}

function ItemActions({ form, path, at, count, title }: ItemActionsProps) {
  return (
    <span class="item-actions">
      <button
        type="button"
        aria-label={`Move ${title} up`}
        title="Move up"
        disabled={at === 0}
        onClick={() => form.move(path, at, at - 1)}
      >
        ↑
      </button>
      <button
        type="button"
        aria-label={`Move ${title} down`}
        title="Move down"
        disabled={at === count - 1}
        onClick={() => form.move(path, at, at + 1)}
      >
        ↓
      </button>
      <button
        type="button"
        aria-label={`Remove ${title}`}
        title="Remove"
        onClick={() => form.remove([...path, at])}
      >
        ×
      </button>
    </span>
  );
}
