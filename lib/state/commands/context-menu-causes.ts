import type { Item } from '../../capture/correlate/items.ts';
import type { AppModel } from '../app-model.ts';
import type { MenuEntry } from './context-menu.ts';
import { toRow } from '../view/rows.ts';

const NAME_LENGTH = 40;

/** Ways from a row to what it is there because of. */
export function causeEntries(item: Item, model: AppModel): MenuEntry[] {
  const causes = model.time.value?.relations.causesOf(item) ?? [];
  return causes.map(({ item: cause, word }, index) => ({
    kind: 'action',
    id: index === 0 ? 'reveal-cause' : `reveal-cause-${index + 1}`,
    title: `Reveal cause: ${word.toLowerCase()} ${nameOf(cause, model)}`,
    run: () => revealRow(cause, model),
  }));
}

function nameOf(item: Item, { correlation }: AppModel): string {
  const { name, target } = toRow(item, correlation);
  const whole = target === '' ? name : `${name} ${target}`;
  return whole.length > NAME_LENGTH ? `${whole.slice(0, NAME_LENGTH)}…` : whole;
}

/** Selects a row wherever it is, even where a filter hides it; what was cleared stays so until that is asked for. */
function revealRow(item: Item, model: AppModel): void {
  const { traffic, selection, desk } = model;
  if (traffic.reveal(item)) {
    selection.select(item);
    return;
  }
  desk.said.value = {
    words: 'That row was cleared.',
    action: {
      title: 'Show all rows',
      run: () => {
        traffic.showAll();
        traffic.reveal(item);
        selection.select(item);
      },
    },
  };
}
