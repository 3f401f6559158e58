import { useId } from 'preact/hooks';
import type { HeaderDiff } from '../../lib/compare/header-diff.ts';

interface HeaderTableProps {
  title: string;
  headers: readonly HeaderDiff[];
  onlyDifferences: boolean;
}

const WORDS = {
  same: '',
  ignored: 'another one every time',
  changed: 'changed',
  added: 'only in the second',
  removed: 'only in the first',
} as const;

/** The headers of two exchanges, by name. */
export function HeaderTable({ title, headers, onlyDifferences }: HeaderTableProps) {
  const id = useId();
  const isDifferent = ({ kind }: HeaderDiff) => kind !== 'same' && kind !== 'ignored';
  const shown = onlyDifferences ? headers.filter(isDifferent) : headers;
  return (
    <section class="compare-section" aria-labelledby={id}>
      <h4 id={id}>{title}</h4>
      {shown.length === 0 ? (
        <p class="dim">{headers.length === 0 ? 'None were recorded.' : 'No difference.'}</p>
      ) : (
        <table class="compare-headers" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">First</th>
              <th scope="col">Second</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((header) => (
              <tr
                key={header.name}
                class={`header-${header.kind}`}
                data-hit={isDifferent(header) ? '' : undefined}
                tabIndex={isDifferent(header) ? -1 : undefined}
              >
                <th scope="row">
                  {header.name}
                  {WORDS[header.kind] !== '' && <div class="dim">{WORDS[header.kind]}</div>}
                </th>
                <Values values={header.before} />
                <Values values={header.after} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Values({ values }: { values: readonly string[] }) {
  return (
    <td>
      {values.length === 0
        ? '–'
        : values.map((value, index) => (
            <div key={index}>
              <code>{value === '' ? '(empty)' : value}</code>
            </div>
          ))}
    </td>
  );
}
