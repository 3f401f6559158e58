import { useId } from 'preact/hooks';
import type { Composer } from '../../lib/state/composer/composer-model.ts';
import { formatBytes } from '../../lib/text.ts';
import { deferred } from '../ui/Deferred.tsx';
import { HeaderRows } from './HeaderRows.tsx';

const CodeEditor = deferred(async () => (await import('./CodeEditor.tsx')).CodeEditor);

const VERBS = ['POST', 'GET', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'PATCH'];

/** A whole HTTP request. Nothing is added to it but what the browser cannot be kept from adding. */
export function HttpFields({ composer }: { composer: Composer }) {
  const id = useId();
  const bytes = composer.bytes.value;
  return (
    <>
      <div class="send-line">
        <label>
          HTTP method{' '}
          <input
            class="wire send-verb"
            list={`${id}-verbs`}
            autocomplete="off"
            spellcheck={false}
            value={composer.verb.value}
            onInput={(event) => (composer.verb.value = event.currentTarget.value)}
          />
        </label>
        <datalist id={`${id}-verbs`}>
          {VERBS.map((verb) => (
            <option key={verb} value={verb}>
              {verb}
            </option>
          ))}
        </datalist>
        <label class="send-url">
          URL{' '}
          <input
            class="wire"
            type="url"
            autocomplete="off"
            spellcheck={false}
            value={composer.url.value}
            onInput={(event) => (composer.url.value = event.currentTarget.value)}
          />
        </label>
      </div>
      <HeaderRows title="Headers" name="Header" headers={composer.httpHeaders} isOpen />
      {bytes === undefined ? (
        <div class="send-editor">
          <CodeEditor
            label="Body"
            text={composer.body}
            problemsOf={composer.problemsOf}
            onSubmit={() => composer.send()}
          />
        </div>
      ) : (
        <p class="send-about">
          {formatBytes(bytes.bytes.length)} that are not UTF-8; they are sent as they were.{' '}
          <button type="button" class="link" onClick={() => composer.dropBytes()}>
            Write another body
          </button>
        </p>
      )}
    </>
  );
}
