import type { StorageDesk } from '../../lib/state/captures/storage-model.ts';
import type { Signal } from '@preact/signals';

/** Lets files be dropped anywhere on the panel; they are imported where captures are listed. */
export function dropHandlers(desk: StorageDesk & { isOpen: Signal<boolean> }) {
  return {
    onDragOver(event: DragEvent): void {
      // Without this the browser would open the file in place of the panel.
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    },
    onDrop(event: DragEvent): void {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      desk.dropped.value = files;
      desk.isOpen.value = true;
    },
  };
}
