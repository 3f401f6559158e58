import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import { createColumnWidths } from './column-widths.ts';
import type { ColumnWidths } from './column-widths.ts';
import { COLUMNS } from './columns.ts';
import type { ColumnName } from './columns.ts';

/** Where a page keeps how it is set up, by name. Nothing that anybody would call a secret. */
export interface SettingStore {
  read(name: string): string | undefined;
  write(name: string, text: string): void;
}

/** A day's time, or the time since the first row. */
export type TimeStyle = 'local' | 'relative';

/** How the user has set up the table: kept for the browser profile. */
export interface TableSetup {
  chosen: ReadonlySignal<ReadonlySet<ColumnName>>;
  widths: ColumnWidths<string>;
  timeStyle: ReadonlySignal<TimeStyle>;
  hasOverview: ReadonlySignal<boolean>;
  toggleColumn(name: ColumnName): void;
  setTimeStyle(style: TimeStyle): void;
  toggleOverview(): void;
  /** Everything as it was at first. */
  reset(): void;
}

const SETTING = 'traffic-table';

interface Stored {
  columns: ColumnName[];
  widths: [string, number][];
  timeStyle: TimeStyle;
  hasOverview: boolean;
}

const DEFAULTS: Stored = {
  columns: COLUMNS.filter(({ isDefault }) => isDefault).map(({ name }) => name),
  widths: [],
  timeStyle: 'local',
  hasOverview: true,
};

/** Creates the set-up from what is stored, and stores every change. */
export function createTableSetup(store: SettingStore | undefined): TableSetup {
  const stored = readStored(store?.read(SETTING));
  const chosen = signal<ReadonlySet<ColumnName>>(new Set(stored.columns));
  const timeStyle = signal(stored.timeStyle);
  const hasOverview = signal(stored.hasOverview);
  const widths = createColumnWidths<string>(stored.widths, save);

  function save(): void {
    const text: Stored = {
      columns: [...chosen.value],
      widths: [...widths.widths.value],
      timeStyle: timeStyle.value,
      hasOverview: hasOverview.value,
    };
    store?.write(SETTING, JSON.stringify(text));
  }

  return {
    chosen,
    widths,
    timeStyle,
    hasOverview,
    toggleColumn(name) {
      const next = new Set(chosen.value);
      if (!next.delete(name)) next.add(name);
      chosen.value = next;
      save();
    },
    setTimeStyle(style) {
      timeStyle.value = style;
      save();
    },
    toggleOverview() {
      hasOverview.value = !hasOverview.value;
      save();
    },
    reset() {
      chosen.value = new Set(DEFAULTS.columns);
      timeStyle.value = DEFAULTS.timeStyle;
      hasOverview.value = DEFAULTS.hasOverview;
      widths.resetAll();
      save();
    },
  };
}

/** Another version of Wirescope may have written it: what is not understood counts for nothing. */
function readStored(text: string | undefined): Stored {
  const value = parse(text);
  const { columns, widths, timeStyle, hasOverview } = value;
  return {
    columns: Array.isArray(columns) ? columns.filter(isColumnName) : DEFAULTS.columns,
    widths: Array.isArray(widths) ? widths.filter(isWidth) : DEFAULTS.widths,
    timeStyle: timeStyle === 'relative' ? 'relative' : DEFAULTS.timeStyle,
    hasOverview: typeof hasOverview === 'boolean' ? hasOverview : DEFAULTS.hasOverview,
  };
}

function parse(text: string | undefined): Partial<Record<keyof Stored, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function isColumnName(value: unknown): value is ColumnName {
  return COLUMNS.some(({ name }) => name === value);
}

function isWidth(value: unknown): value is [string, number] {
  return Array.isArray(value) && isColumnName(value[0]) && Number.isFinite(value[1]);
}
