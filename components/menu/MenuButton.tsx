import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';

/** Opens the menu of a row from its details. */
export function MenuButton({ item, model }: { item: Item; model: AppModel }) {
  const { menu } = model.desk;
  return (
    <button
      type="button"
      aria-label="More actions"
      title="Copy, filter, replay and more (Shift+F10)"
      aria-haspopup="menu"
      aria-expanded={menu.value !== undefined}
      onClick={(event) => {
        const { left, bottom, height } = event.currentTarget.getBoundingClientRect();
        // A click that a key has made has no place of its own.
        const isByKey = event.detail === 0;
        menu.value = { item, left, top: bottom, anchorHeight: height, isByKey };
      }}
    >
      <span aria-hidden="true">⋯</span>
    </button>
  );
}
