import { isAboutAccess, type Problem } from '../../errors.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import type { SummaryKeeper } from '../summary.ts';

/** What exchanges say about the link that carried them. */
export interface Health {
  /** The server was there: whatever was wrong with the link is over. */
  found(cause?: string): void;
  /** An exchange failed: some failures say that the server, or the session, is gone. */
  doubt(problem: Problem): void;
  /** The server, or the session, is gone for certain. */
  lose(problem: Problem): void;
}

/** Keeps the state of a connection that has once been connected. */
export function createHealth(summary: SummaryKeeper, record: (fact: WireFact) => void): Health {
  function lose(problem: Problem): void {
    const { state } = summary.current;
    // It stays lost, and for another reason now.
    if (state === 'lost' && isAboutAccess(problem)) summary.update({ problem });
    if (state !== 'connected') return;
    record({ kind: 'connection-state', state: 'lost', cause: problem.message });
    summary.update({ state: 'lost', problem });
  }

  return {
    lose,
    found(cause = 'A request was answered.') {
      // What was under way may still arrive when the host was taken away; nothing can be sent.
      if (summary.current.state !== 'lost' || summary.current.hostPattern !== undefined) return;
      record({ kind: 'connection-state', state: 'live', cause });
      summary.setState('connected');
    },
    doubt(problem) {
      const isGone = problem.code.startsWith('network-') || problem.code === 'http-session-ended';
      if (isGone || summary.current.state === 'lost') lose(problem);
    },
  };
}
