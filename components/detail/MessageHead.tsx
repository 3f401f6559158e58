import type { ComponentChildren } from 'preact';
import { foldedSections, toggleSection } from './folded-sections.ts';

interface MessageHeadProps {
  title: string;
  /** Size, or what is going on. */
  note: string;
  /** What can be done with the message; not there while it is folded. */
  children?: ComponentChildren;
}

/** The head of a message, which folds it. */
export function MessageHead({ title, note, children }: MessageHeadProps) {
  const isFolded = foldedSections.value.has(title);
  return (
    <div class="message-head">
      <h2>
        <button
          type="button"
          class="message-fold"
          aria-expanded={!isFolded}
          onClick={() => toggleSection(title)}
        >
          <span aria-hidden="true">{isFolded ? '▸' : '▾'}</span> {title}
        </button>
      </h2>
      <span class="dim">{note}</span>
      {!isFolded && children}
    </div>
  );
}
