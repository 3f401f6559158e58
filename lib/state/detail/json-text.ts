import { signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { locate } from '../../json/locate.ts';
import { parseJson } from '../../json/parse.ts';

/** Line, column and cause where a text is no JSON (RFC 8259); undefined where it is. */
export function jsonFault(text: string): string | undefined {
  const parsed = parseJson(text);
  if (parsed.ok) return undefined;
  const { line, column } = locate(text, parsed.offset);
  return `${line}:${column}: ${parsed.message}`;
}

/** A form's alternative for those who know better: JSON that is sent to the letter. */
export interface JsonEdit {
  isOn: ReadonlySignal<boolean>;
  text: Signal<string>;
  toggle(): void;
}

/** Creates the alternative. What the user typed into it stays, whatever becomes of the form. */
export function createJsonEdit(proposal: () => string): JsonEdit {
  const isOn = signal(false);
  const text = signal('');
  let proposed = '';
  return {
    isOn,
    text,
    toggle() {
      if (!isOn.value && text.value === proposed) {
        proposed = proposal();
        text.value = proposed;
      }
      isOn.value = !isOn.value;
    },
  };
}
