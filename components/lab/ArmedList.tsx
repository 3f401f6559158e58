import type { ArmedFault } from '../../lib/capture/correlate/fault.ts';
import { wordFault } from '../../lib/protocol/fault-words.ts';

interface ArmedListProps {
  armed: readonly ArmedFault[];
  /** How the stream is called that a fault waits on. */
  nameOf: (carrierId: string) => string | undefined;
  onDisarm: (faultId: string) => void;
}

/** What is to strike, with a way back. */
export function ArmedList({ armed, nameOf, onDisarm }: ArmedListProps) {
  if (armed.length === 0) return null;
  return (
    <ul class="lab-armed" aria-label="Armed faults">
      {armed.map(({ faultId, fault, place }) => (
        <li key={faultId}>
          <span class="injected">armed</span>
          <span>
            {toPlaceWords(place, nameOf)}: {wordFault(fault)}
          </span>
          <button type="button" class="bordered" onClick={() => onDisarm(faultId)}>
            Disarm
          </button>
        </li>
      ))}
    </ul>
  );
}

function toPlaceWords(place: ArmedFault['place'], nameOf: ArmedListProps['nameOf']): string {
  if (place === 'exchange') return 'next request of ours';
  if (place === 'stream') return 'next GET of a stream';
  return nameOf(place.carrierId) ?? 'stream';
}
