import type { ConnectForm } from './connect-form.ts';
import type { NotKept } from './incomplete.ts';

/** Puts a secret that was not kept where it belongs in a form that has no field for it. */
export function completeSecret(form: ConnectForm, { kind, name }: NotKept, value: string): void {
  if (kind === 'header') {
    for (const [index, header] of form.headers.value.entries()) {
      if (header.name === name) form.changeHeader(index, { value });
    }
    return;
  }
  const { auth, ...others } = form.begun.value;
  if (auth === undefined) return;
  const whole = (member: string, known: unknown) => (member === name ? value : known);
  form.begun.value = { ...others, auth: JSON.parse(JSON.stringify(auth, whole)) };
}
