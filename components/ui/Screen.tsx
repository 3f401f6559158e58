import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import './Screen.css';

interface ScreenProps {
  id: string;
  title: string;
  isOpen: Signal<boolean>;
  /** What can be done with all of it, beside its name. */
  bar?: ComponentChildren;
  children: ComponentChildren;
}

/** What lies over the traffic while it is open, with its name and the way back; its body is the caller's. */
export function Screen({ id, title, isOpen, bar, children }: ScreenProps) {
  const screen = useRef<HTMLElement>(null);
  // Before what is in it looks where the focus is.
  useLayoutEffect(() => screen.current?.focus(), []);
  return (
    <section class="screen" id={id} aria-label={title} tabIndex={-1} ref={screen}>
      <header class="screen-bar">
        <h2>{title}</h2>
        {bar}
        <button
          type="button"
          class="screen-close"
          title={`Close the ${title.toLowerCase()} (Escape)`}
          onClick={() => (isOpen.value = false)}
        >
          <Icon name="close" />
          Close
        </button>
      </header>
      {children}
    </section>
  );
}
