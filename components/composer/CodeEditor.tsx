import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TextProblem } from '../../lib/state/composer/composer-check.ts';
import { openCodeEditor } from './code-editor.ts';
import './CodeEditor.css';

interface CodeEditorProps {
  label: string;
  /** Exactly as typed; another text that is put there is shown. */
  text: Signal<string>;
  problemsOf: (text: string) => TextProblem[];
  onSubmit: () => void;
}

/** A field for JSON with lines, colours and marks where something is wrong. It rewrites nothing. */
export function CodeEditor({ label, text, problemsOf, onSubmit }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const calls = useRef({ problemsOf, onSubmit });
  calls.current = { problemsOf, onSubmit };
  useEffect(() => {
    if (place.current === null) return undefined;
    return openCodeEditor(place.current, {
      label,
      text,
      problemsOf: (given) => calls.current.problemsOf(given),
      submit: () => calls.current.onSubmit(),
    });
  }, [label, text]);
  return <div class="code-editor" ref={place} />;
}
