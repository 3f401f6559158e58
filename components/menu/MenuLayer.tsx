import { useEffect, useRef } from 'preact/hooks';
import type { MenuEntry } from '../../lib/state/commands/context-menu.ts';
import type { Keys } from '../../lib/state/commands/shortcuts.ts';
import { MenuList } from './MenuList.tsx';
import { placeBelow } from './place-menu.ts';
import './ContextMenu.css';

/** Where a menu is to open, in px of the window. */
export interface MenuAnchor {
  left: number;
  top: number;
  anchorHeight: number;
  /** A key has opened it, so its first entry takes the focus. */
  isByKey: boolean;
}

interface MenuLayerProps {
  label: string;
  entries: readonly MenuEntry[];
  anchor: MenuAnchor;
  /** The keys that do the same without the menu. */
  keysOf?: (entry: MenuEntry) => Keys | undefined;
  /** Takes the focus where the element that had it is gone. */
  fallbackId: string;
  onClose: () => void;
}

/** A menu over the page, for as long as it is open. */
export function MenuLayer(props: MenuLayerProps) {
  const { label, entries, anchor, keysOf = () => undefined, fallbackId, onClose } = props;
  const box = useRef<HTMLDivElement>(null);
  const returnTo = useRef(document.activeElement);

  useEffect(() => {
    const leaveOutside = (event: Event) => {
      if (event.target instanceof Node && box.current?.contains(event.target)) return;
      onClose();
    };
    const ends = new AbortController();
    const options = { signal: ends.signal, capture: true };
    document.addEventListener('pointerdown', leaveOutside, options);
    document.addEventListener('wheel', leaveOutside, { ...options, passive: true });
    window.addEventListener('resize', onClose, options);
    // Not while capturing: elements lose the focus all the time.
    window.addEventListener('blur', onClose, { signal: ends.signal });
    return () => ends.abort();
  }, []);

  function close(): void {
    onClose();
    const { current } = returnTo;
    if (current instanceof HTMLElement && current !== document.body) current.focus();
    else document.getElementById(fallbackId)?.focus();
  }

  return (
    <div class="context-menu" ref={box} onContextMenu={(event) => event.preventDefault()}>
      <MenuList
        label={label}
        entries={entries}
        place={(size) => placeBelow(size, anchor)}
        keysOf={keysOf}
        startsAtFirst={anchor.isByKey}
        onRun={(run) => {
          close();
          run();
        }}
        onBack={(key) => key === 'Escape' && close()}
        onLeave={close}
      />
    </div>
  );
}
