import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  ExportChoice,
  ExportQuestion,
  FileModel,
} from '../../lib/state/captures/file-model.ts';
import { wordCounts } from '../../lib/state/detail/secret-words.ts';
import { formatBytes, formatCount } from '../../lib/text.ts';
import { ExportSecrets } from './ExportSecrets.tsx';
import { SecretRules } from './SecretRules.tsx';
import './ExportQuestions.css';

const LIMITS = [100_000, 1_000_000, 10_000_000];

/** Asks how a capture is to be written, and says what will be hidden; what is not hidden takes a second wish. */
export function ExportQuestions({ files }: { files: FileModel }) {
  const question = files.question.value;
  if (question === undefined) return null;
  // Another question begins with nothing chosen.
  return <Question key={question.capture.captureId} files={files} question={question} />;
}

function Question({ files, question }: { files: FileModel; question: ExportQuestion }) {
  const { capture, prepared, shown } = question;
  const { found, recorded, carriers } = prepared.report;
  const first = useRef<HTMLButtonElement>(null);
  const kept = useSignal<ReadonlySet<string>>(new Set());
  const profile = useSignal<ExportChoice['profile']>('share-v1');
  const isSelection = useSignal(shown !== undefined);
  const format = useSignal<ExportChoice['format']>('har');
  const limit = useSignal(0);
  const isBare = useSignal(false);
  // What was looked for by other rules says nothing of what these would hide.
  const [followed] = useState(files.rules.value);
  const isStale = files.rules.value !== followed;
  useEffect(() => first.current?.focus(), []);
  const hidden = found.filter(({ value }) => !kept.value.has(value));

  function write(secrets: ExportChoice['secrets']): void {
    void files.writeExport({
      format: format.value,
      secrets,
      profile: profile.value,
      kept: [...kept.value],
      ...(limit.value > 0 ? { limitBytes: limit.value } : {}),
      ...(isSelection.value && shown !== undefined ? { selected: shown } : {}),
    });
  }

  if (isBare.value) {
    return (
      <div class="export-question" role="alertdialog" aria-labelledby="export-question">
        <p id="export-question" class="warning">
          Export “{capture.name}” with {formatCount(found.length, 'secret')} in it? Whoever gets the
          file can use them. Revoke them when it has left your hands.
        </p>
        <p class="export-buttons">
          <button type="button" class="primary" onClick={() => (isBare.value = false)}>
            Back
          </button>
          <button type="button" class="bordered" onClick={() => write('shown')}>
            Export with secrets
          </button>
        </p>
      </div>
    );
  }
  return (
    <div class="export-question" role="alertdialog" aria-labelledby="export-question">
      <p id="export-question">
        Export “{capture.name}”.{' '}
        {hidden.length === 0
          ? 'No secret was found that would have to be hidden.'
          : `${formatCount(hidden.length, 'value')} will be hidden: ${wordCounts(hidden)}.`}{' '}
        {recorded > 0 &&
          `${formatCount(recorded, 'other was', 'others were')} hidden when recorded, and ${recorded === 1 ? 'is' : 'are'} in no file.`}
      </p>
      {found.length > 0 && <ExportSecrets found={found} kept={kept} />}
      <SecretRules
        rules={files.rules.value}
        change={(rules) => files.setRules(rules)}
        lookAgain={() => void files.askToExport(capture)}
      />
      <p class="export-options">
        <label>
          As{' '}
          <select
            value={format.value}
            onChange={(event) => {
              format.value = event.currentTarget.value === 'html' ? 'html' : 'har';
            }}
          >
            <option value="har">a HAR file, which can be imported again</option>
            <option value="html">one HTML page to read</option>
          </select>
        </label>
        {shown !== undefined && (
          <label>
            Exchanges{' '}
            <select
              value={isSelection.value ? 'shown' : 'all'}
              onChange={(event) => (isSelection.value = event.currentTarget.value === 'shown')}
            >
              <option value="shown">
                the {shown.length.toLocaleString('en')} that the filter shows, of{' '}
                {carriers.length.toLocaleString('en')}
              </option>
              <option value="all">all {carriers.length.toLocaleString('en')}</option>
            </select>
          </label>
        )}
        <label>
          Contents of messages{' '}
          <select
            value={profile.value}
            onChange={(event) => {
              profile.value =
                event.currentTarget.value === 'structure-only' ? 'structure-only' : 'share-v1';
            }}
          >
            <option value="share-v1">as they are, without secrets</option>
            <option value="structure-only">left out: names and structure only</option>
          </select>
        </label>
        <label>
          Long texts{' '}
          <select
            value={limit.value}
            onChange={(event) => (limit.value = Number(event.currentTarget.value))}
          >
            <option value={0}>as they are</option>
            {LIMITS.map((bytes) => (
              <option key={bytes} value={bytes}>
                cut where a body is over {formatBytes(bytes)}
              </option>
            ))}
          </select>
        </label>
      </p>
      {isStale && <p class="warning">Your rules have changed. Look again with them first.</p>}
      <p class="export-buttons">
        <button
          type="button"
          class="primary"
          ref={first}
          disabled={isStale}
          onClick={() => write('hidden')}
        >
          Export
        </button>
        {found.length > 0 && (
          <button
            type="button"
            class="bordered"
            disabled={isStale}
            onClick={() => (isBare.value = true)}
          >
            Export with secrets…
          </button>
        )}
        <button type="button" class="bordered" onClick={() => files.cancel()}>
          Cancel
        </button>
      </p>
    </div>
  );
}
