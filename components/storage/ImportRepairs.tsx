import type { CaptureRecord } from '../../lib/capture/store/capture-record.ts';
import { formatCount } from '../../lib/text.ts';

/** All that had to be put right in a file that was imported, entry by entry; nothing where it was as it should be. */
export function ImportRepairs({ capture }: { capture: CaptureRecord | undefined }) {
  const { repairs = [], repairCount = 0 } = capture?.imported ?? {};
  if (repairs.length === 0) return null;
  const rest = repairCount - repairs.length;
  return (
    <details class="import-repairs">
      <summary>What was put right</summary>
      <ul>
        {repairs.map(({ where, what }, index) => (
          <li key={index}>
            {where}: {what}
          </li>
        ))}
        {rest > 0 && <li>and {formatCount(rest, 'other')}</li>}
      </ul>
    </details>
  );
}
