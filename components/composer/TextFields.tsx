import type { Composer } from '../../lib/state/composer/composer-model.ts';
import { deferred } from '../ui/Deferred.tsx';

const CodeEditor = deferred(async () => (await import('./CodeEditor.tsx')).CodeEditor);

const FORMS = [
  ['text', 'Text'],
  ['hex', 'Binary, as hexadecimal'],
  ['base64', 'Binary, as Base64'],
] as const;

/** A text that is sent as it stands, whatever it is. */
export function TextFields({ composer }: { composer: Composer }) {
  const isSocket = composer.connection.value?.transport === 'websocket';
  const isBinary = isSocket && composer.frame.value !== 'text';
  return (
    <>
      {isSocket && (
        <label class="send-frame">
          Frame{' '}
          <select
            value={composer.frame.value}
            onChange={(event) => {
              const chosen = FORMS[event.currentTarget.selectedIndex];
              if (chosen !== undefined) composer.setFrame(chosen[0]);
            }}
          >
            {FORMS.map(([form, title]) => (
              <option key={form} value={form}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="send-about dim">
        {isSocket
          ? isBinary
            ? 'One binary frame of exactly these bytes. Spaces and line breaks mean nothing.'
            : 'One text frame, exactly as it stands here.'
          : 'The body of one message, exactly as it stands here; URL, headers and session are those of the connection.'}
      </p>
      <div class="send-editor">
        <CodeEditor
          label={isBinary ? 'Bytes of the frame' : isSocket ? 'Frame' : 'Text'}
          text={composer.text}
          problemsOf={composer.problemsOf}
          onSubmit={() => composer.send()}
        />
      </div>
    </>
  );
}
