import type { Visits } from '../../lib/state/server/server-visits.ts';

/** Ends the comparison of a server with its last visit. */
export function ForgetButton({ visits }: { visits: Visits }) {
  return (
    <button
      type="button"
      class="bordered"
      title="Forget what this server listed; the next visit has nothing to compare with"
      onClick={() => visits.forget()}
    >
      Forget this server
    </button>
  );
}
