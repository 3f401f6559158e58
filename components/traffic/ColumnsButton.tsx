import { useRef } from 'preact/hooks';
import { Icon } from '../ui/Icon.tsx';

/** Where a menu was asked for, in px from the upper left of the panel. */
export interface MenuPlace {
  x: number;
  y: number;
}

interface ColumnsButtonProps {
  /** Undefined while the menu is closed. */
  menuAt: MenuPlace | undefined;
  onMenu: (place: MenuPlace) => void;
}

/** At the end of the headings: what the table shows is chosen here. */
export function ColumnsButton({ menuAt, onMenu }: ColumnsButtonProps) {
  // The menu closes itself as the pointer goes down, and is not to be opened by the click that follows.
  const wasOpen = useRef(false);
  return (
    <button
      type="button"
      class="columns-button"
      aria-label="Columns"
      title="Choose columns"
      aria-haspopup="menu"
      aria-expanded={menuAt !== undefined}
      onPointerDown={() => (wasOpen.current = menuAt !== undefined)}
      onClick={(event) => {
        const { right, bottom } = event.currentTarget.getBoundingClientRect();
        if (!wasOpen.current) onMenu({ x: right, y: bottom });
        wasOpen.current = false;
      }}
    >
      <Icon name="options" />
    </button>
  );
}
