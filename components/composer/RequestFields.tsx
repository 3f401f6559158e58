import { useId } from 'preact/hooks';
import type { Composer } from '../../lib/state/composer/composer-model.ts';
import { deferred } from '../ui/Deferred.tsx';
import { HeaderRows } from './HeaderRows.tsx';
import { MethodFacts } from './MethodFacts.tsx';
import { RequestOptions } from './RequestOptions.tsx';

const CodeEditor = deferred(async () => (await import('./CodeEditor.tsx')).CodeEditor);

/** A request of the connection: id, session, headers and envelope are its own. */
export function RequestFields({ composer }: { composer: Composer }) {
  const id = useId();
  return (
    <>
      <div class="send-line">
        <label class="send-method">
          Method
          <input
            class="wire"
            list={`${id}-methods`}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={`${id}-about`}
            value={composer.method.value}
            onInput={(event) => composer.setMethod(event.currentTarget.value)}
          />
        </label>
        <datalist id={`${id}-methods`}>
          {composer.methods.value.map(({ method, does, mark }) => (
            <option
              key={method}
              value={method}
              label={mark === undefined ? does : `${mark}: ${does}`}
            >
              {method}
            </option>
          ))}
        </datalist>
        <label title="Restarted by progress; empty for that of the connection">
          Timeout, seconds{' '}
          <input
            class="send-timeout"
            inputMode="decimal"
            autocomplete="off"
            value={composer.timeoutSeconds.value}
            onInput={(event) => (composer.timeoutSeconds.value = event.currentTarget.value)}
          />
        </label>
        <RequestOptions composer={composer} />
      </div>
      <MethodFacts id={`${id}-about`} composer={composer} />
      <div class="send-editor">
        <CodeEditor
          label="Params (JSON)"
          text={composer.paramsText}
          problemsOf={composer.problemsOf}
          onSubmit={() => composer.send()}
        />
      </div>
      <HeaderRows
        title="Headers for this request"
        name="Request header"
        headers={composer.headers}
      />
    </>
  );
}
