import type { EventOrigin } from '../capture/wire-event.ts';

/** The origin of events that we have caused on purpose. */
export const INJECTED: EventOrigin = { kind: 'injected' };

/** Breaks a body off where no network did; its message stands in place of the platform's error name. */
export class InjectedCut extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InjectedCut';
  }
}

/** What is open, and can be broken off. */
export interface Droppable {
  drop(): void;
  /** Behind the next event or frame; `false` takes that back. */
  dropAfterEvent(isWanted: boolean): void;
}
