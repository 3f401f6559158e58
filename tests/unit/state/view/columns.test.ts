import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTableSetup } from '../../../../lib/state/view/column-choice.ts';
import type { SettingStore } from '../../../../lib/state/view/column-choice.ts';
import { COLUMNS, layoutColumns } from '../../../../lib/state/view/columns.ts';
import type { ColumnName } from '../../../../lib/state/view/columns.ts';

const DEFAULT = new Set(COLUMNS.filter(({ isDefault }) => isDefault).map(({ name }) => name));
const ALL = new Set(COLUMNS.map(({ name }) => name));

function shown(width: number, chosen: ReadonlySet<ColumnName> = DEFAULT): ColumnName[] {
  return layoutColumns(width, chosen, new Map()).columns.map(({ name }) => name);
}

/** What all columns but that of the names take, in px. */
function taken(template: string): number {
  return [...template.matchAll(/(\d+)px/g)].reduce((sum, [, px]) => sum + Number(px), 0);
}

function memory(text?: string): SettingStore & { text: string | undefined } {
  return {
    text,
    read() {
      return this.text;
    },
    write(_name, written) {
      this.text = written;
    },
  };
}

describe('columns', () => {
  test('all have room from 750 px on, and all but the clock from 660 px on', () => {
    expect(shown(750)).toEqual([...DEFAULT]);
    expect(shown(660)).toEqual([...DEFAULT].filter((name) => name !== 'time'));
  });

  test('go in the order waterfall, size, kind after the clock', () => {
    const gone: ColumnName[] = [];
    for (let width = 750; width >= 300; width -= 1) {
      const left = shown(width);
      gone.push(...[...DEFAULT].filter((name) => !left.includes(name) && !gone.includes(name)));
    }
    expect(gone).toEqual(['time', 'waterfall', 'size', 'kind']);
  });

  test('never take more than there is, and leave the names what they need', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 320, max: 4000 }),
        fc.subarray([...ALL]),
        fc.dictionary(fc.constantFrom(...ALL), fc.integer({ min: 44, max: 600 })),
        (width, chosen, widths) => {
          const layout = layoutColumns(width, new Set(chosen), new Map(Object.entries(widths)));
          expect(taken(layout.template)).toBeLessThanOrEqual(width - 130);
          expect(layout.template.split(/ (?!1fr)/)).toHaveLength(layout.columns.length);
        },
      ),
    );
  });

  test('have the width that the user has given them', () => {
    const { template, waterfallWidth } = layoutColumns(
      1200,
      DEFAULT,
      new Map([['waterfall', 300]]),
    );
    expect(template).toMatch(/ 300px$/);
    expect(waterfallWidth).toBe(300);
    expect(layoutColumns(500, DEFAULT, new Map()).waterfallWidth).toBe(0);
  });
});

describe('the set-up of the table', () => {
  test('is there again in the next page', () => {
    const store = memory();
    const first = createTableSetup(store);
    first.toggleColumn('connection');
    first.toggleColumn('size');
    first.widths.resize('kind', 123);
    first.setTimeStyle('relative');
    first.toggleOverview();

    const next = createTableSetup(store);
    expect(next.chosen.value).toEqual(first.chosen.value);
    expect(next.chosen.value.has('connection')).toBe(true);
    expect(next.chosen.value.has('size')).toBe(false);
    expect([...next.widths.widths.value]).toEqual([['kind', 123]]);
    expect(next.timeStyle.value).toBe('relative');
    expect(next.hasOverview.value).toBe(false);

    next.reset();
    const last = createTableSetup(store);
    expect(last.chosen.value).toEqual(DEFAULT);
    expect(last.widths.widths.value.size).toBe(0);
    expect([last.timeStyle.value, last.hasOverview.value]).toEqual(['local', true]);
  });

  test.each([
    undefined,
    '',
    'not JSON',
    'null',
    '[]',
    '{"columns":"all","widths":{"kind":1},"timeStyle":7,"hasOverview":"no"}',
  ])('is the usual one where %j is stored', (text) => {
    const setup = createTableSetup(memory(text));
    expect(setup.chosen.value).toEqual(DEFAULT);
    expect(setup.widths.widths.value.size).toBe(0);
    expect([setup.timeStyle.value, setup.hasOverview.value]).toEqual(['local', true]);
  });

  test('takes what it knows, and only that', () => {
    const text =
      '{"columns":["kind","flavour",7],"widths":[["kind",9999],["flavour",80],["size","x"]]}';
    const setup = createTableSetup(memory(text));
    expect(setup.chosen.value).toEqual(new Set(['kind']));
    expect([...setup.widths.widths.value]).toEqual([['kind', 600]]);
  });
});
