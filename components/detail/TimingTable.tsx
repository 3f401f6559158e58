import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatDuration } from '../../lib/text.ts';

interface TimingTableProps {
  title: string;
  note?: string;
  columns: readonly [string, string, string];
  total?: { name: string; totalMs: number; userMs: number };
  children: ComponentChildren;
}

/** A part of the timing: rows with a name, a bar to scale and a number. */
export function TimingTable({ title, note, columns, total, children }: TimingTableProps) {
  const id = useId();
  return (
    <section class="detail-section" aria-labelledby={id}>
      <div class="detail-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="dim">{note}</span>}
      </div>
      <table class="timing-table">
        <colgroup>
          <col class="timing-name" />
          <col />
          <col class="timing-length" />
        </colgroup>
        <thead class="visually-hidden">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {children}
          {total && (
            <tr class="timing-total">
              <th scope="row">{total.name}</th>
              <td class="timing-number" colSpan={2}>
                {formatDuration(total.totalMs)}
                {total.userMs > 0 && (
                  <span class="dim">
                    {' '}
                    ({formatDuration(total.totalMs - total.userMs)} without your time)
                  </span>
                )}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}
