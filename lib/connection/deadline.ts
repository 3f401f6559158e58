import type { Recorder } from '../capture/recorder.ts';
import type { DeadlineKind } from '../capture/wire-event.ts';

export interface Deadline {
  /** Starts the time anew, unless it is over. */
  extend(): void;
  /** Stops the time, or starts it anew, while somebody has to be asked before anything can go on. */
  hold(isHeld: boolean): void;
  stop(): void;
}

/** What a limit is for. */
export interface LimitedRequest {
  carrierId: string;
  rpcId: string;
  connectionId: string;
}

/** A recorded time limit on one request. `fired` is called at most once. */
export function startDeadline(
  recorder: Pick<Recorder, 'record'>,
  request: LimitedRequest,
  deadline: DeadlineKind,
  durationMs: number,
  fired: () => void,
): Deadline {
  return new RecordedDeadline(recorder, request, deadline, durationMs, fired);
}

/** A class, since every request has one, and its functions would be made anew for each. */
class RecordedDeadline implements Deadline {
  readonly #recorder: Pick<Recorder, 'record'>;
  readonly #request: LimitedRequest;
  readonly #deadline: DeadlineKind;
  readonly #durationMs: number;
  readonly #fired: () => void;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout>;

  constructor(
    recorder: Pick<Recorder, 'record'>,
    request: LimitedRequest,
    deadline: DeadlineKind,
    durationMs: number,
    fired: () => void,
  ) {
    this.#recorder = recorder;
    this.#request = request;
    this.#deadline = deadline;
    this.#durationMs = durationMs;
    this.#fired = fired;
    this.#timer = this.#start();
    this.#note('deadline-started');
  }

  extend(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = this.#start();
    this.#note('deadline-extended');
  }

  hold(isHeld: boolean): void {
    if (isHeld) clearTimeout(this.#timer);
    else this.extend();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#fire(), this.#durationMs);
  }

  #fire(): void {
    this.#isOver = true;
    this.#note('deadline-fired');
    this.#fired();
  }

  #note(kind: 'deadline-started' | 'deadline-extended' | 'deadline-fired'): void {
    const { carrierId, rpcId, connectionId } = this.#request;
    const deadline = this.#deadline;
    const durationMs = this.#durationMs;
    this.#recorder.record({ kind, carrierId, rpcId, deadline, durationMs }, connectionId);
  }
}

/** Stops the time of all limits of a request, or starts it anew. */
export function holdAll(deadlines: readonly Deadline[], isHeld: boolean): void {
  for (const deadline of deadlines) deadline.hold(isHeld);
}
