import type { Recorder } from '../capture/recorder.ts';
import type { DeadlineKind } from '../capture/wire-event.ts';

export interface Deadline {
  /** Starts the time anew, unless it is over. */
  extend(): void;
  /** Stops the time, or starts it anew, while somebody has to be asked before anything can go on. */
  hold(isHeld: boolean): void;
  stop(): void;
}

/** A recorded time limit on one request. `fired` is called at most once. */
export function startDeadline(
  recorder: Pick<Recorder, 'record'>,
  request: { carrierId: string; rpcId: string; connectionId: string },
  deadline: DeadlineKind,
  durationMs: number,
  fired: () => void,
): Deadline {
  const { carrierId, rpcId, connectionId } = request;
  let isOver = false;
  let timer = setTimeout(fire, durationMs);
  note('deadline-started');

  function note(kind: 'deadline-started' | 'deadline-extended' | 'deadline-fired'): void {
    recorder.record({ kind, carrierId, rpcId, deadline, durationMs }, connectionId);
  }

  function fire(): void {
    isOver = true;
    note('deadline-fired');
    fired();
  }

  function extend(): void {
    if (isOver) return;
    clearTimeout(timer);
    timer = setTimeout(fire, durationMs);
    note('deadline-extended');
  }

  return {
    extend,
    hold(isHeld) {
      if (isHeld) clearTimeout(timer);
      else extend();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Stops the time of all limits of a request, or starts it anew. */
export function holdAll(deadlines: readonly Deadline[], isHeld: boolean): void {
  for (const deadline of deadlines) deadline.hold(isHeld);
}
