import { useEffect, useState } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { AuthOptions } from '../../lib/state/auth/auth-options.ts';
import { readProblem } from '../../lib/state/captures/read-problem.ts';
import { CopyButton } from '../ui/CopyButton.tsx';

interface ClientDocumentProps {
  auth: AuthOptions;
  background: AppModel['credentials']['background'];
}

/** The client ID metadata document that is to be hosted at the URL that was typed. */
export function ClientDocument({ auth, background }: ClientDocumentProps) {
  const url = auth.metadataUrl.value.trim();
  const isGood = url !== '' && auth.faults.value.metadataUrl === undefined;
  const [shown, setShown] = useState<{ text: string } | { failed: string } | undefined>(undefined);
  // What is shown is for one URL.
  useEffect(() => setShown(undefined), [url]);
  if (!isGood) return null;

  function show(): void {
    background.clientMetadata(url).then(
      (text) => setShown({ text }),
      (error: unknown) => setShown({ failed: readProblem(error).message }),
    );
  }

  if (shown === undefined) {
    return (
      <button type="button" class="bordered option-add" onClick={show}>
        Show the document to host
      </button>
    );
  }
  if ('failed' in shown) return <p class="error">{shown.failed}</p>;
  return (
    <div class="client-document">
      <p class="dim">
        Host this at exactly that URL, as application/json. The authorization server fetches it.
      </p>
      <pre>{shown.text}</pre>
      <CopyButton text={() => shown.text} title="Copy the document" />
    </div>
  );
}
