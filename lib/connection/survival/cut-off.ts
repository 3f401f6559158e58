import type { WireFact } from '../../capture/wire-event.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import { readCheckpoints, shownOf } from './checkpoint.ts';

const WHY = 'Wirescope was updated or reloaded while it was open.';

export interface CutOffParts {
  recorder: { record(fact: WireFact): unknown };
  now(): number;
  /** Lists a connection that is over. */
  end(summary: ConnectionSummary): void;
}

/**
 * Tells of the connections that went together with an extension that was replaced. All that they need to go on was in
 * memory only, so they can be made again, and nothing else.
 */
export function tellCutOff(checkpoint: string, { recorder, now, end }: CutOffParts): void {
  for (const left of readCheckpoints(checkpoint)) {
    const { connectionId, url, serverName = url } = left;
    const message = `The connection to ${serverName} was cut off.`;
    recorder.record({ kind: 'gap', what: message, why: WHY });
    end({
      ...shownOf(left),
      connectionId,
      url,
      state: 'failed',
      since: now(),
      messageCount: 0,
      questions: [],
      problem: {
        code: 'extension-replaced',
        message: `${message} ${WHY}`,
        advice: 'Reconnect to go on. What was recorded is under Captures.',
      },
    });
  }
}
