import type { JsonNode } from '../../lib/json/parse.ts';
import type { Shape } from '../../lib/schema/field.ts';
import { ArrayField } from './ArrayField.tsx';
import { ChoiceField } from './ChoiceField.tsx';
import { ChoicesField } from './ChoicesField.tsx';
import type { FieldProps } from './field-props.ts';
import { JsonPart } from './JsonPart.tsx';
import { LineField } from './LineField.tsx';
import { ObjectField } from './ObjectField.tsx';
import { chosenAmong, choicesOf } from './shown-choices.ts';
import { VariantField } from './VariantField.tsx';

/** A part of a form, drawn as its schema says; where what it holds is something else, as JSON. */
export function FieldView(props: FieldProps) {
  const { form, part, path } = props;
  const { shape } = form.fieldOf(part);
  const node = form.nodeAt(path);
  if (!isDrawn(shape, node)) {
    return <JsonPart {...props} reason="It holds something else than its schema asks for." />;
  }
  switch (shape.kind) {
    case 'text':
    case 'number':
      return <LineField {...props} shape={shape} />;
    case 'choice':
      return <ChoiceField {...props} choices={shape.choices} />;
    case 'null':
      return <ChoiceField {...props} choices={[{ title: 'null', json: 'null' }]} />;
    case 'object':
      return <ObjectField {...props} shape={shape} />;
    case 'array': {
      const choices = choicesOf(form, shape);
      if (choices === undefined || chosenAmong(form, path, choices) === undefined) {
        return <ArrayField {...props} shape={shape} />;
      }
      return <ChoicesField {...props} choices={choices} shape={shape} />;
    }
    case 'variants':
      return <VariantField {...props} variants={shape.variants} />;
    case 'json': {
      const { reason } = shape;
      return (
        <JsonPart
          {...props}
          {...(reason === undefined ? {} : { reason: `No field: ${reason}.` })}
        />
      );
    }
  }
}

/** Whether what is there can be shown by the control that the schema asks for. */
function isDrawn(shape: Shape, node: JsonNode | undefined): boolean {
  if (node === undefined) return true;
  switch (shape.kind) {
    case 'text':
      return node.kind === 'string';
    case 'number':
      return node.kind === 'number' || node.kind === 'string';
    case 'object':
      return node.kind === 'object';
    case 'array':
      return node.kind === 'array';
    case 'choice':
    case 'null':
      return node.kind !== 'object' && node.kind !== 'array';
    case 'variants':
    case 'json':
      return true;
  }
}
