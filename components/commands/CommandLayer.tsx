import type { AppModel } from '../../lib/state/app-model.ts';
import { deferred } from '../ui/Deferred.tsx';
import { SaidLine } from './SaidLine.tsx';
import { useCommandKeys } from './use-command-keys.ts';

const ContextMenu = deferred(async () => (await import('../menu/ContextMenu.tsx')).ContextMenu);
const Palette = deferred(async () => (await import('./Palette.tsx')).Palette);
const ShortcutSheet = deferred(async () => (await import('./ShortcutSheet.tsx')).ShortcutSheet);

/** The keys of the panel, and what lies over it for a moment. Loaded after the first paint. */
export function CommandLayer({ model }: { model: AppModel }) {
  useCommandKeys(model);
  const { desk } = model;
  return (
    <>
      <SaidLine desk={desk} />
      {desk.menu.value && <ContextMenu menu={desk.menu.value} model={model} />}
      {desk.isPaletteOpen.value && <Palette model={model} />}
      {desk.areShortcutsOpen.value && <ShortcutSheet model={model} />}
    </>
  );
}
