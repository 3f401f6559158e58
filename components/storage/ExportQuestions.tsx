import { useEffect, useRef } from 'preact/hooks';
import type { FileModel } from '../../lib/state/file-model.ts';
import { formatCount } from '../../lib/text.ts';

/** What each class of hidden values is called. */
const CLASSES: Record<string, string> = {
  sid: 'session ids',
  tok: 'tokens',
  jwt: 'JWTs',
  key: 'keys',
  csrf: 'CSRF tokens',
  cookie: 'cookies',
  userinfo: 'names and passwords in URLs',
  pem: 'private keys',
};

/** Says what will be hidden before a file is written; what is not hidden takes a second wish. */
export function ExportQuestions({ files }: { files: FileModel }) {
  const question = files.question.value;
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (question !== undefined) first.current?.focus();
  }, [question]);
  if (question === undefined) return null;
  const { capture, prepared } = question;
  const hidden = [...prepared.counts];
  const total = hidden.reduce((sum, [, count]) => sum + count, 0);
  const words = hidden.map(([name, count]) => `${count} ${CLASSES[name] ?? name}`).join(', ');
  return (
    <div class="storage-question" role="alertdialog" aria-labelledby="export-question">
      <p id="export-question">
        Export “{capture.name}”.{' '}
        {total === 0
          ? 'No secret was found besides those that were hidden when they were recorded.'
          : `${formatCount(total, 'value')} will be hidden: ${words}.`}
      </p>
      <button
        type="button"
        class="primary"
        ref={first}
        onClick={() => void files.writeExport(false)}
      >
        Export
      </button>
      {total > 0 && (
        <button
          type="button"
          class="bordered"
          title="Whoever gets the file can read them"
          onClick={() => void files.writeExport(true)}
        >
          Export with these values
        </button>
      )}
      <button type="button" class="bordered" onClick={() => files.cancel()}>
        Cancel
      </button>
    </div>
  );
}
