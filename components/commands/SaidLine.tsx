import { useEffect } from 'preact/hooks';
import type { CommandDesk } from '../../lib/state/commands/commands-desk.ts';
import './SaidLine.css';

const SHOWN_MS = 6000;

/** A word about what was just done, and what can be done about it. It goes by itself. */
export function SaidLine({ desk }: { desk: CommandDesk }) {
  const said = desk.said.value;
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => (desk.said.value = undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said, desk]);
  const action = said?.action;
  return (
    <div class="said">
      {/* There all the time, so that what comes into it is read out. */}
      <span role="status" aria-label="Done">
        {said?.words}
      </span>
      {action !== undefined && (
        <button
          type="button"
          class="link"
          onClick={() => {
            desk.said.value = undefined;
            action.run();
          }}
        >
          {action.title}
        </button>
      )}
    </div>
  );
}
