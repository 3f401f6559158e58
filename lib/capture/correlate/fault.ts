/** A fault that can be put into an exchange of ours, for once. */
export type Fault =
  /** The answer is held back. */
  | { kind: 'delay'; delayMs: number }
  /** The body is handed on in pieces of this size. */
  | { kind: 'split'; pieceBytes: number }
  /** The connection breaks as soon as this much of the body has come. */
  | { kind: 'cut'; afterBytes: number }
  /** Nothing is sent: we answer ourselves, 404 only where a session is named. */
  | { kind: 'refuse'; status: 401 | 404 };

/** Which exchange takes a fault: the next POST with a request of ours, or the next GET of a stream. */
export type FaultPlace = 'exchange' | 'stream';

/** How a stream goes on after we have dropped it: from which event id, if at all. */
export type ResumeChoice =
  | { from: 'last' | 'wrong' | 'none' }
  | { from: 'chosen'; lastEventId: string };

/** What was done to an exchange or a socket on purpose. */
export type InjectedFault =
  | Fault
  | { kind: 'drop'; resume: ResumeChoice['from']; afterEvent?: true }
  /** Its `Last-Event-ID` is not the one that the stream had come to. */
  | { kind: 'resume'; from: 'chosen' | 'wrong' };

/** A fault that has not struck yet. */
export interface ArmedFault {
  faultId: string;
  fault: InjectedFault;
  /** Where it is to strike, or the carrier that it waits on. */
  place: FaultPlace | { carrierId: string };
}
