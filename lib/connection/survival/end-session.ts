import type { WireFact } from '../../capture/wire-event.ts';
import type { Transport } from '../../transport/transport.ts';
import { timeLimit } from '../time-limit.ts';

/** Closing never waits longer than this for the DELETE. */
const TERMINATE_MS = 2000;

/** Ends the session at the server, which may refuse: here it is over in any case ("Session Management" 5). */
export async function endSession(
  transport: Transport,
  record: (fact: WireFact) => void,
): Promise<void> {
  const limit = timeLimit(TERMINATE_MS, 'The server did not answer the DELETE in time.');
  try {
    const status = await transport.terminate(limit.signal);
    if (status !== undefined) record({ kind: 'connection-terminated', status });
  } catch {
    // The row of the DELETE says what became of it at the server.
  } finally {
    limit.stop();
  }
}
