import type { ConnectionSummary } from '../../lib/port/contract.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { ConnectLine as Line } from '../../lib/state/connect/connect-lines.ts';
import { probeAgain } from '../../lib/state/connect/force-transport.ts';
import { formatRunning } from '../../lib/text.ts';
import { CodeWords } from '../json/CodeWords.tsx';

interface ConnectLineProps {
  line: Line;
  connection: ConnectionSummary;
  model: AppModel;
}

const SIGNS: Record<Line['sign'], { sign: string; word: string; className?: string }> = {
  running: { sign: '…', word: 'Running' },
  answered: { sign: '✓', word: 'Answered' },
  failed: { sign: '✗', word: 'Failed', className: 'error' },
  skipped: { sign: '–', word: 'Not tried' },
};

/** One exchange of connecting: what was asked, what came back, what that says. */
export function ConnectLine({ line, connection, model }: ConnectLineProps) {
  const { item, running } = line;
  const { sign, word, className } = SIGNS[line.sign];
  return (
    <li class="connect-line">
      <span class={className}>
        <span aria-hidden="true">{sign}</span>
        <span class="visually-hidden">{word}:</span>
      </span>
      <span class="connect-name">
        <CodeWords text={line.name} />
      </span>
      <span class="connect-status">{line.status}</span>
      <span class="connect-said dim">
        <CodeWords text={line.said} />
      </span>
      <span class="connect-judgement">
        <CodeWords text={line.judgement} />
        {line.sign === 'skipped' && line.rung === 'modern' && (
          <button
            type="button"
            class="bordered connect-probe"
            title="Connect again, and ask the server for its era"
            onClick={() => probeAgain(model, connection)}
          >
            Probe again
          </button>
        )}
      </span>
      <span class="connect-time dim">
        {running === undefined ? line.time : <Countdown {...running} model={model} />}
      </span>
      {item !== undefined && (
        <button
          type="button"
          aria-label={`Show ${line.name.replaceAll('`', '')} in the table`}
          title="Show it in the table"
          onClick={() => model.selection.open(item)}
        >
          ›
        </button>
      )}
    </li>
  );
}

interface CountdownProps {
  since: number;
  limitMs: number;
  model: AppModel;
}

/** Only this text is drawn again when the clock ticks. */
function Countdown({ since, limitMs, model }: CountdownProps) {
  return (
    <>
      {formatRunning(model.clock.now.value - since)} of {limitMs / 1000} s
    </>
  );
}
