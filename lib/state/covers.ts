import { effect, signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';

/** Whether each of these screens is open. They lie in the same place: to open one is to close the others. */
export function createCovers<Name extends string>(
  names: readonly Name[],
): Record<Name, Signal<boolean>> {
  const covers = names.map((name) => [name, signal(false)] as const);
  for (const [, isOpen] of covers) {
    effect(() => {
      if (!isOpen.value) return;
      for (const [, other] of covers) if (other !== isOpen) other.value = false;
    });
  }
  return Object.fromEntries(covers) as Record<Name, Signal<boolean>>;
}
