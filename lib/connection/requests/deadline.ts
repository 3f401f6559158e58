import type { Recorder } from '../../capture/recorder.ts';
import type { DeadlineKind } from '../../capture/wire-event.ts';

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
  return new NotedDeadline(durationMs, fired, (kind) => {
    recorder.record({ kind, carrierId, rpcId, deadline, durationMs }, connectionId);
  });
}

type Note = (kind: 'deadline-started' | 'deadline-extended' | 'deadline-fired') => void;

/** A class, since every request has one, and its functions would be made anew for each. */
class NotedDeadline implements Deadline {
  readonly #durationMs: number;
  readonly #fired: () => void;
  readonly #note: Note;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(durationMs: number, fired: () => void, note: Note) {
    this.#durationMs = durationMs;
    this.#fired = fired;
    this.#note = note;
    this.#start('deadline-started');
  }

  extend(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#start('deadline-extended');
  }

  hold(isHeld: boolean): void {
    if (isHeld) clearTimeout(this.#timer);
    else this.extend();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #start(why: 'deadline-started' | 'deadline-extended'): void {
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#note('deadline-fired');
      this.#fired();
    }, this.#durationMs);
    this.#note(why);
  }
}

/** Stops the time of all limits of a request, or starts it anew. */
export function holdAll(deadlines: readonly Deadline[], isHeld: boolean): void {
  for (const deadline of deadlines) deadline.hold(isHeld);
}
