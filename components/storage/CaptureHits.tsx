import type { CapturePlace } from '../../lib/state/captures/capture-place.ts';
import type { CaptureHit, CaptureSearch, RowHit } from '../../lib/state/captures/capture-search.ts';
import { formatCount } from '../../lib/text.ts';

interface HitsProps {
  search: CaptureSearch;
  onOpen: (hit: CaptureHit, place?: CapturePlace) => void;
}

/** Units of text that are shown before a match. */
const SHOWN_BEFORE = 24;

/** What was found, capture by capture. */
export function CaptureHits({ search, onOpen }: HitsProps) {
  const hits = search.hits.value;
  return (
    <ul id="capture-hits" class="capture-hits" aria-label="Captures with matches">
      {hits.map((hit) => (
        <li key={hit.captureId}>
          <h3>
            <button type="button" class="link" onClick={() => onOpen(hit)}>
              {hit.name}
            </button>{' '}
            <span class="dim">{wordHit(hit)}</span>
          </h3>
          <ul>
            {hit.rows.map((row) => (
              <li key={`${row.place.row} ${row.match.part}`}>
                <HitButton row={row} onClick={() => onOpen(hit, row.place)} />
              </li>
            ))}
          </ul>
          {hit.omittedRows > 0 && (
            <p class="dim">
              {formatCount(hit.omittedRows, 'more row')} with matches: open the capture and search
              there.
            </p>
          )}
          {hit.gaps.map((gap) => (
            <p key={gap} class="warning">
              {gap}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

function HitButton({ row, onClick }: { row: RowHit; onClick: () => void }) {
  const { part, text, from, to } = row.match;
  const start = Math.max(from - SHOWN_BEFORE, 0);
  return (
    <button type="button" class="capture-hit" onClick={onClick}>
      <span class="dim">{row.time}</span>
      <span class="capture-hit-title">
        <span aria-hidden="true">{row.glyph} </span>
        {row.title}
      </span>
      <span class="dim">{part}</span>
      <span class="capture-hit-text">
        {start > 0 && '…'}
        {text.slice(start, from)}
        <mark>{text.slice(from, to)}</mark>
        {text.slice(to)}
      </span>
      {row.matchCount > 1 && (
        <span class="dim">{formatCount(row.matchCount, 'match', 'matches')}</span>
      )}
    </button>
  );
}

function wordHit({ words, matchCount, isCurrent }: CaptureHit): string {
  return [
    isCurrent ? 'being recorded' : '',
    ...words.map((word) => `matches in its ${word}`),
    matchCount > 0 ? formatCount(matchCount, 'match', 'matches') : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
