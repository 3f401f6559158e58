import type { UrlDraft } from '../../lib/state/answers/answer-drafts.ts';
import { toUrlParts } from '../../lib/state/answers/question-words.ts';
import { VisibleText } from '../json/VisibleText.tsx';

/** The page that the server asks the user to visit. It is opened only by a click. */
export function UrlAnswer({ draft: { url } }: { draft: UrlDraft }) {
  const parts = toUrlParts(url);
  if (parts === undefined) {
    return (
      <p class="question-url error">
        Not a web address, so it cannot be opened: <VisibleText text={url} />
      </p>
    );
  }
  const { before, host, after } = parts;
  return (
    <p class="question-url">
      <span>
        <span class="dim">{before}</span>
        <strong>{host}</strong>
        <span class="dim">{after}</span>
      </span>{' '}
      <button
        type="button"
        class="bordered"
        title={`Open ${host} in a new tab`}
        onClick={() => window.open(before + host + after, '_blank', 'noopener,noreferrer')}
      >
        Open
      </button>
    </p>
  );
}
