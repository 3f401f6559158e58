import type { CaptureRow } from '../../lib/state/captures/capture-list.ts';
import type { MenuEntry } from '../../lib/state/commands/context-menu.ts';
import type { StorageModel } from '../../lib/state/captures/storage-model.ts';
import { MenuLayer } from '../menu/MenuLayer.tsx';
import type { MenuAnchor } from '../menu/MenuLayer.tsx';
import type { CaptureWays } from './capture-ways.ts';

interface MenuProps {
  row: CaptureRow;
  anchor: MenuAnchor;
  desk: StorageModel;
  ways: CaptureWays;
  onEdit: (row: CaptureRow) => void;
  onClose: () => void;
}

/** What is done with a capture less often. */
export function CaptureMenu({ row, anchor, desk, ways, onEdit, onClose }: MenuProps) {
  const { capture, isCurrent } = row;
  const { captureId } = capture;
  const entries: MenuEntry[] = [
    {
      kind: 'action',
      id: 'edit',
      title: 'Name, tags and note…',
      run: () => onEdit(row),
    },
  ];
  if (!isCurrent) {
    entries.unshift({
      kind: 'action',
      id: 'open-in-tab',
      title: 'Open in a new tab',
      run: () => ways.openCapture(captureId),
    });
  }
  if (desk.running.value === undefined) {
    entries.push({
      kind: 'action',
      id: 'duplicate',
      title: 'Duplicate',
      run: () => void desk.duplicate(capture),
    });
  }
  if (!isCurrent) {
    entries.push(
      { kind: 'separator' },
      {
        kind: 'action',
        id: 'delete',
        title: 'Delete',
        run: () => desk.removal.remove([capture]),
      },
    );
  }
  return (
    <MenuLayer
      label={capture.name}
      entries={entries}
      anchor={anchor}
      fallbackId="captures"
      onClose={onClose}
    />
  );
}
