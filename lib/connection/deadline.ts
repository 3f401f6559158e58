import type { Recorder } from '../capture/recorder.ts';
import type { DeadlineKind } from '../capture/wire-event.ts';

export interface Deadline {
  /** Starts the time anew. */
  extend(): void;
  stop(): void;
}

/** A recorded time limit on one exchange. `fired` is called at most once. */
export function startDeadline(
  recorder: Pick<Recorder, 'record'>,
  exchange: { httpId: string; connectionId: string },
  deadline: DeadlineKind,
  durationMs: number,
  fired: () => void,
): Deadline {
  const { httpId, connectionId } = exchange;
  const fact = { httpId, deadline, durationMs };
  let timer = setTimeout(fire, durationMs);
  recorder.record({ kind: 'deadline-started', ...fact }, connectionId);

  function fire(): void {
    recorder.record({ kind: 'deadline-fired', ...fact }, connectionId);
    fired();
  }

  return {
    extend() {
      clearTimeout(timer);
      timer = setTimeout(fire, durationMs);
      recorder.record({ kind: 'deadline-extended', ...fact }, connectionId);
    },
    stop: () => clearTimeout(timer),
  };
}
