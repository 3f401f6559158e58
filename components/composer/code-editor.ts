import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, linter, lintKeymap } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { effect, type Signal } from '@preact/signals';
import type { TextProblem } from '../../lib/state/composer/composer-check.ts';

export interface CodeEditorParts {
  label: string;
  text: Signal<string>;
  problemsOf(text: string): TextProblem[];
  submit(): void;
}

/** How long after a key the text is looked through, in milliseconds. */
const CHECK_MS = 150;

/** Opens an editor in an element; it and the signal follow each other until the result is called. */
export function openCodeEditor(
  parent: HTMLElement,
  { label, text, problemsOf, submit }: CodeEditorParts,
): () => void {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text.peek(),
      extensions: [
        // Any other line end is part of the text, and stays what it is.
        EditorState.lineSeparator.of('\n'),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        EditorView.lineWrapping,
        lineNumbers(),
        history(),
        highlightSpecialChars(),
        bracketMatching(),
        json(),
        syntaxHighlighting(COLOURS),
        linter((shown) => problemsOf(shown.state.sliceDoc()), { delay: CHECK_MS }),
        lintGutter(),
        Prec.highest(
          keymap.of([
            {
              key: 'Mod-Enter',
              run() {
                submit();
                return true;
              },
            },
          ]),
        ),
        // Tab goes on to the next field: nobody gets caught here.
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) text.value = update.state.sliceDoc();
        }),
        THEME,
      ],
    }),
  });
  const stop = effect(() => {
    const insert = text.value;
    if (view.state.sliceDoc() === insert) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
  });
  return () => {
    stop();
    view.destroy();
  };
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-key)' },
  { tag: tags.string, color: 'var(--json-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--json-number)' },
]);

const THEME = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface-field)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-scroller': { font: '11px/16px var(--mono)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface-raised)',
    borderColor: 'var(--hairline)',
    color: 'var(--text-dim)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--border)',
    color: 'var(--text)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selection)' },
});
