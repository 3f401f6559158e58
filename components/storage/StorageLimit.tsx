import { totalBytes } from '../../lib/capture/store/retention-plan.ts';
import type { StorageReport } from '../../lib/capture/store/retention.ts';
import type { StorageModel } from '../../lib/state/captures/storage-model.ts';
import { formatBytes } from '../../lib/text.ts';

const MB = 1_000_000;
const LIMITS = [100, 250, 500, 1000, 2000, 5000, 10_000].map((megabytes) => megabytes * MB);

interface LimitProps {
  report: StorageReport;
  desk: StorageModel;
}

/** What captures take of what they may. */
export function StorageLimit({ report, desk }: LimitProps) {
  const { captures, currentId, limitBytes, usageBytes, quotaBytes } = report;
  const used = totalBytes(captures);
  const kept = captures.filter(({ captureId, isPinned }) => captureId === currentId || isPinned);
  const choices = [...new Set([...LIMITS, limitBytes])].toSorted((a, b) => a - b);
  return (
    <>
      <p>
        Captures take <strong>{formatBytes(used)}</strong> of at most{' '}
        <select
          aria-label="Limit of all captures"
          value={limitBytes}
          onChange={(event) => {
            const chosen = Number(event.currentTarget.value);
            // It shows what holds, until that has changed.
            event.currentTarget.value = String(limitBytes);
            void desk.setLimit(chosen);
          }}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {formatBytes(choice)}
            </option>
          ))}
        </select>
        . Beyond it the oldest go first, but none that is pinned, and never the current one.
      </p>
      {totalBytes(kept) > limitBytes && (
        <p class="warning">
          The current capture and the pinned ones alone are over the limit. They are kept all the
          same.
        </p>
      )}
      {usageBytes !== undefined && (
        <p class="dim">
          All that Wirescope keeps in this browser profile takes {formatBytes(usageBytes)}
          {quotaBytes === undefined
            ? '.'
            : `; the browser says that ${formatBytes(quotaBytes)} are possible.`}
        </p>
      )}
    </>
  );
}
