import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { FileModel } from '../../lib/state/captures/file-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { ExportQuestions } from './ExportQuestions.tsx';
import { ImportRepairs } from './ImportRepairs.tsx';

interface FileBarProps {
  files: FileModel;
  open: (captureId: string) => void;
  /** Stands before the button for files. */
  children?: ComponentChildren;
}

/** The way in for files, how far the one in work is, and what came of it. */
export function FileBar({ files, open, children }: FileBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const running = files.running.value;
  const problem = files.problem.value;
  return (
    <div class="storage-files">
      <p>
        {children}{' '}
        <button
          type="button"
          class="bordered"
          disabled={running !== undefined}
          onClick={() => input.current?.click()}
        >
          Import a HAR file…
        </button>{' '}
        <span class="dim">
          or drop one here: of Wirescope, of a browser’s Network panel, of Playwright, of a proxy.
        </span>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept=".har,.zip,.gz,.json,application/json"
          aria-label="HAR files to import"
          onChange={({ currentTarget }) => {
            void files.importFiles([...(currentTarget.files ?? [])]);
            // The same file may be chosen again.
            currentTarget.value = '';
          }}
        />
      </p>
      {running !== undefined && (
        <p role="status">
          {running.title} <progress aria-label={running.title} max={1} value={running.share} />{' '}
          <button type="button" class="link" onClick={() => files.cancel()}>
            Cancel
          </button>
        </p>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} isAlert />}
      <ExportQuestions files={files} />
      <Outcome files={files} open={open} />
    </div>
  );
}

function Outcome({ files, open }: FileBarProps) {
  const outcome = files.outcome.value;
  if (outcome === undefined) return null;
  const { imported } = outcome;
  return (
    <div role="status">
      <p>
        {outcome.text}{' '}
        {imported !== undefined && (
          <button type="button" class="link" onClick={() => open(imported.captureId)}>
            Open {imported.name}
          </button>
        )}
      </p>
      <ImportRepairs capture={imported} />
    </div>
  );
}
