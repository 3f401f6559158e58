import type { ComponentChildren, FunctionComponent } from 'preact';
import type { JsonPath } from '../../lib/json/edit.ts';
import type { SchemaForm } from '../../lib/state/server/schema-form.ts';

export interface FieldProps {
  form: SchemaForm;
  /** Its part of the schema. */
  part: unknown;
  path: JsonPath;
  /** Empty for the whole. */
  name: string;
  isRequired: boolean;
  /** One of several kinds, chosen for what it is: emptied, it stays, or it would go while it is typed in. */
  isChosen?: boolean;
  /** Buttons that belong to the field, of the list that it is in. */
  actions?: ComponentChildren;
  /** Draws what lies in it: fields hold fields. */
  View: FunctionComponent<FieldProps>;
}
