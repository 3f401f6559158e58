import type { Composer } from '../../lib/state/composer/composer-model.ts';

/** What goes into a request besides what is typed. Whatever is typed for the same wins. */
export function RequestOptions({ composer }: { composer: Composer }) {
  const isCall = composer.method.value.trim() === 'tools/call';
  return (
    <>
      {isCall && (
        <label title="The server may answer at once that it works on it, and tell the result later">
          <input
            type="checkbox"
            checked={composer.asTask.value}
            onChange={(event) => (composer.asTask.value = event.currentTarget.checked)}
          />
          Allow a task
        </label>
      )}
      <label title="A new traceparent in _meta with each request, by which the server’s own traces find it">
        <input
          type="checkbox"
          checked={composer.isTraced.value}
          onChange={(event) => (composer.isTraced.value = event.currentTarget.checked)}
        />
        Trace
      </label>
    </>
  );
}
