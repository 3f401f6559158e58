import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import './Tabs.css';

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly { name: Name; title: string }[];
  active: Name;
  onChange: (name: Name) => void;
  /** Stands at the end of the row of tabs. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** A row of tabs with the panel of the active one. Arrow keys move between tabs. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, active, onChange, aside, children } = props;
  const id = useId();
  useLayoutEffect(() => {
    const show = () => {
      const tab = document.getElementById(`${id}-${active}`);
      const list = tab?.parentElement;
      // Not `scrollIntoView`, which would move all that is around it too.
      if (tab && list) list.scrollLeft = tab.offsetLeft - list.offsetLeft - list.clientWidth / 3;
    };
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [active]);

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
    const at = tabs.findIndex(({ name }) => name === active);
    const targets: Record<string, number> = {
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = tabs[targets[event.key] ?? -1];
    if (target === undefined) return;
    event.preventDefault();
    onChange(target.name);
    document.getElementById(`${id}-${target.name}`)?.focus();
  }

  return (
    <div class="tabs">
      <div class="tabs-head">
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- focus is on the active tab */}
        <div role="tablist" aria-label={label} class="tabs-list" onKeyDown={onKeyDown}>
          {tabs.map(({ name, title }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              class="tab"
              aria-selected={name === active}
              aria-controls={`${id}-panel`}
              tabIndex={name === active ? 0 : -1}
              onClick={() => onChange(name)}
            >
              {title}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        class="tabs-panel"
        aria-labelledby={`${id}-${active}`}
        // It scrolls where there is little room, and not every tab has something in it to focus.
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}
