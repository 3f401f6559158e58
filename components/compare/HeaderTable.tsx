import { useId } from 'preact/hooks';
import type { HeaderDiff } from '../../lib/compare/header-diff.ts';

interface HeaderTableProps {
  title: string;
  headers: readonly HeaderDiff[];
  onlyDifferences: boolean;
  /** What the two are called. */
  sides: readonly [string, string];
}

/** The headers of two exchanges, by name. */
export function HeaderTable(props: HeaderTableProps) {
  const { title, headers, onlyDifferences, sides } = props;
  const id = useId();
  const isDifferent = ({ kind }: HeaderDiff) => kind !== 'same' && kind !== 'ignored';
  const words = {
    same: '',
    ignored: 'another one every time',
    changed: 'changed',
    added: `only in the ${sides[1].toLowerCase()}`,
    removed: `only in the ${sides[0].toLowerCase()}`,
  };
  const shown = onlyDifferences ? headers.filter(isDifferent) : headers;
  return (
    <section class="compare-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {shown.length === 0 ? (
        <p class="dim">{headers.length === 0 ? 'None were recorded.' : 'No difference.'}</p>
      ) : (
        <table class="compare-headers" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">{sides[0]}</th>
              <th scope="col">{sides[1]}</th>
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
                  {words[header.kind] !== '' && <div class="dim">{words[header.kind]}</div>}
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
