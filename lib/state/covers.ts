import { effect, signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';

/** What may lie over the traffic, by its name in the model. */
export const COVERS = [
  'report',
  'storage',
  'diagram',
  'credentials',
  'server',
  'settings',
] as const;

export type Cover = (typeof COVERS)[number];

/** All of them closed. They lie in the same place: to open one is to close the others. */
export function createCovers(): Record<Cover, Signal<boolean>> {
  const covers = COVERS.map((name) => [name, signal(false)] as const);
  for (const [, isOpen] of covers) {
    effect(() => {
      if (!isOpen.value) return;
      for (const [, other] of covers) if (other !== isOpen) other.value = false;
    });
  }
  return Object.fromEntries(covers) as Record<Cover, Signal<boolean>>;
}
