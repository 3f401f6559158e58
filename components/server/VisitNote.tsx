import type { Visits } from '../../lib/state/server/server-visits.ts';
import { ForgetButton } from './ForgetButton.tsx';

/** What is kept of a server that was not there before; of others `ChangesPanel` tells. */
export function VisitNote({ visits }: { visits: Visits }) {
  const isNew = visits.changes.value === undefined && visits.trouble.value === undefined;
  if (!isNew || !visits.isRemembered.value) return null;
  return (
    <p class="dim">
      What it lists is remembered, to be compared with the next visit.{' '}
      <ForgetButton visits={visits} />
    </p>
  );
}
