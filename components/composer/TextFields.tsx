import type { Composer } from '../../lib/state/composer.ts';
import { deferred } from '../ui/Deferred.tsx';

const CodeEditor = deferred(async () => (await import('./CodeEditor.tsx')).CodeEditor);

/** A text that is sent as it stands, whatever it is. */
export function TextFields({ composer }: { composer: Composer }) {
  const isSocket = composer.connection.value?.transport === 'websocket';
  return (
    <>
      <p class="send-about dim">
        {isSocket
          ? 'One text frame, exactly as it stands here.'
          : 'The body of one message, exactly as it stands here; URL, headers and session are those of the connection.'}
      </p>
      <CodeEditor
        label={isSocket ? 'Frame' : 'Text'}
        text={composer.text}
        problemsOf={composer.problemsOf}
        onSubmit={() => composer.send()}
      />
    </>
  );
}
