const MARGIN = 4;

/** Where something of a size goes in the window, in px. */
export interface Place {
  left: number;
  top: number;
}

/** Puts a menu below a point, above its anchor where there is no room, and always whole into the window. */
export function placeBelow(menu: DOMRect, wish: Place & { anchorHeight: number }): Place {
  const fits = wish.top + menu.height <= innerHeight - MARGIN;
  const above = wish.top - wish.anchorHeight - menu.height;
  return inWindow(menu, {
    left: wish.left,
    top: fits || above < MARGIN ? wish.top : above,
  });
}

/** Puts a submenu beside the entry that it belongs to; in a narrow window it covers a part of its menu. */
export function placeBeside(menu: DOMRect, entry: DOMRect): Place {
  const isRight = entry.right + menu.width <= innerWidth - MARGIN;
  const isLeft = entry.left - menu.width >= MARGIN;
  if (isRight || !isLeft) return inWindow(menu, { left: entry.right - 2, top: entry.top - 4 });
  return inWindow(menu, { left: entry.left - menu.width + 2, top: entry.top - 4 });
}

function inWindow({ width, height }: DOMRect, { left, top }: Place): Place {
  return {
    left: Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN)),
    top: Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN)),
  };
}
