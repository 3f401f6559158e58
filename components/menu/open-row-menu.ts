import type { AppModel } from '../../lib/state/app-model.ts';

/** Opens the menu of the row that was pressed; on the keyboard's wish, that of the selected one. */
export function openRowMenu(event: MouseEvent, model: AppModel): void {
  // The head has a menu of its own.
  if (event.defaultPrevented) return;
  const row = event.target instanceof Element ? event.target.closest('[role=row]') : null;
  if (row === null) {
    event.preventDefault();
    openMenuOfSelected(model);
    return;
  }
  // Counted from 1, the head being the first.
  const item = model.traffic.itemAt(Number(row.getAttribute('aria-rowindex')) - 2);
  if (item === undefined) return;
  event.preventDefault();
  const { selection } = model;
  const marks = selection.marks.peek();
  // The menu of rows that are selected together is about all of them.
  if (marks.has(item.key)) selection.mark(marks, item);
  else selection.select(item);
  model.desk.menu.value = {
    item,
    left: event.clientX,
    top: event.clientY,
    anchorHeight: 0,
    isByKey: false,
  };
}

/** Opens the menu of the selected row below it. */
export function openMenuOfSelected({ selection, desk }: AppModel): void {
  const item = selection.item.peek();
  const id = document.getElementById('traffic')?.getAttribute('aria-activedescendant') ?? '';
  const row = document.getElementById(id);
  if (item === undefined || row === null) return;
  const { left, bottom, height } = row.getBoundingClientRect();
  desk.menu.value = { item, left: left + 24, top: bottom, anchorHeight: height, isByKey: true };
}
