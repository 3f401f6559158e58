import { useEffect, useRef } from 'preact/hooks';
import type { Replay } from '../../lib/state/replay/replay.ts';
import './ReplayDialog.css';

/** Asks before something is sent again that may change things, or that cannot go out as it was. */
export function ReplayDialog({ replay }: { replay: Replay }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const question = replay.question.value;
  useEffect(() => {
    if (question !== undefined) dialog.current?.showModal();
  }, [question]);
  if (question === undefined) return null;
  const { calls, differences } = question;
  return (
    <dialog
      ref={dialog}
      class="replay-dialog"
      aria-labelledby="replay-title"
      onClose={() => replay.cancel()}
    >
      <h2 id="replay-title">{titleOf(calls.map(({ tool }) => tool))}</h2>
      {calls.length > 0 && (
        <p>
          The server has not said that{' '}
          {calls.length === 1 ? 'this tool only reads.' : 'these tools only read.'}
          {calls.length === 1 ? ' It runs' : ' They run'} once more, with these arguments:
        </p>
      )}
      {calls.map(({ tool, argumentsText }, index) => (
        <div key={index}>
          {calls.length > 1 && <h3>{tool}</h3>}
          <pre>{argumentsText === '' ? 'none' : argumentsText}</pre>
        </div>
      ))}
      {differences.length > 0 && (
        <>
          <p>This does not go out as it was:</p>
          <ul>
            {differences.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      )}
      <div class="dialog-actions">
        <button type="button" class="bordered" onClick={() => replay.cancel()}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => replay.confirm()}>
          Send again
        </button>
      </div>
    </dialog>
  );
}

function titleOf(tools: readonly string[]): string {
  const [tool = ''] = tools;
  if (tools.length === 0) return 'Send with differences?';
  if (tools.length > 1) return `Call ${tools.length} tools again?`;
  return tool === '' ? 'Call a tool again?' : `Call “${tool}” again?`;
}
