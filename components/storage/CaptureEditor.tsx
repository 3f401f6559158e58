import { useEffect, useRef } from 'preact/hooks';
import type { CaptureEdit } from '../../lib/capture/store/capture-description.ts';
import { readTags } from '../../lib/state/captures/capture-list.ts';
import type { CaptureRow } from '../../lib/state/captures/capture-list.ts';
import { ImportRepairs } from './ImportRepairs.tsx';

interface EditorProps {
  row: CaptureRow;
  onSave: (edit: CaptureEdit) => void;
  onClose: () => void;
}

/** Asks what a capture is to be called, and what is to be said about it. */
export function CaptureEditor({ row, onSave, onClose }: EditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const tags = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const { capture, description } = row;
  const { imported } = capture;
  useEffect(() => {
    dialog.current?.showModal();
    name.current?.select();
  }, []);
  return (
    <dialog ref={dialog} class="capture-editor" aria-labelledby="capture-editor" onClose={onClose}>
      <form
        method="dialog"
        onSubmit={() =>
          onSave({
            // An empty name leaves the one that it had.
            name: name.current?.value.trim() || capture.name,
            tags: readTags(tags.current?.value ?? ''),
            note: note.current?.value.trim() ?? '',
          })
        }
      >
        <h2 id="capture-editor">About this capture</h2>
        <label>
          Name
          <input ref={name} name="name" required maxLength={200} defaultValue={capture.name} />
        </label>
        <label>
          Tags, separated by commas
          <input
            ref={tags}
            name="tags"
            maxLength={500}
            spellcheck={false}
            defaultValue={(description.tags ?? []).join(', ')}
          />
        </label>
        <label>
          Note
          <textarea
            ref={note}
            name="note"
            rows={4}
            maxLength={10_000}
            defaultValue={description.note ?? ''}
          />
        </label>
        {imported !== undefined && (
          <p class="dim">
            Imported from {imported.file}.
            {imported.isRedacted === true && ' Its secrets had been replaced by pseudonyms.'}
            {imported.repairCount === 0 && ' Nothing had to be put right.'}
          </p>
        )}
        <ImportRepairs capture={capture} />
        <div class="dialog-actions">
          <button type="button" class="bordered" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
    </dialog>
  );
}
