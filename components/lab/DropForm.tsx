import { useState } from 'preact/hooks';
import type { ResumeChoice } from '../../lib/capture/correlate/fault.ts';
import type { ConnectionSummary, StreamDrop } from '../../lib/port/contract.ts';
import { whyNotResumed, type DropTarget } from '../../lib/state/lab/lab-targets.ts';
import { LabInput } from './LabInput.tsx';
import { LabSelect } from './LabSelect.tsx';

interface DropFormProps {
  connection: ConnectionSummary;
  targets: readonly DropTarget[];
  onDrop: (carrierId: string, drop: StreamDrop) => void;
}

const MOMENTS = [
  ['now', 'now'],
  ['later', 'after the next event'],
] as const;

/** Which stream to drop, when, and how it is to go on. */
export function DropForm({ connection, targets, onDrop }: DropFormProps) {
  const [chosenId, choose] = useState('');
  const [moment, setMoment] = useState<'now' | 'later'>('now');
  const [from, setFrom] = useState<ResumeChoice['from']>('last');
  const [typedId, setTypedId] = useState('');
  const target = targets.find(({ carrierId }) => carrierId === chosenId) ?? targets[0];
  const reason = whyNotResumed(connection);

  function submit(event: Event): void {
    event.preventDefault();
    if (target === undefined) return;
    const resume: ResumeChoice =
      reason !== undefined
        ? { from: 'last' }
        : from === 'chosen'
          ? { from, lastEventId: typedId }
          : { from };
    onDrop(target.carrierId, { resume, afterEvent: moment === 'later' });
  }

  return (
    <form class="lab-form" aria-label="Resumption" onSubmit={submit}>
      <h2>Resumption</h2>
      {target === undefined ? (
        <p class="dim">
          No stream is open. The GET stream, and calls that are answered by a stream, can be dropped
          while they are open.
        </p>
      ) : (
        <>
          <LabSelect
            label="Stream"
            value={target.carrierId}
            choices={targets.map(({ carrierId, name }) => [carrierId, name] as const)}
            onChange={choose}
          />
          <LabSelect label="When" value={moment} choices={MOMENTS} onChange={setMoment} />
          {reason === undefined ? (
            <LabSelect
              label="Resume with"
              value={from}
              choices={startChoices(target)}
              onChange={setFrom}
            />
          ) : (
            <p class="dim">{reason}</p>
          )}
          {reason === undefined && from === 'chosen' && (
            <LabInput
              label="Event id"
              value={typedId}
              proposals={target.newestIds}
              onInput={setTypedId}
            />
          )}
          <button
            type="submit"
            class="bordered"
            disabled={reason === undefined && from === 'chosen' && typedId === ''}
          >
            Drop
          </button>
        </>
      )}
    </form>
  );
}

function startChoices({ lastEventId }: DropTarget) {
  return [
    ['last', lastEventId === '' ? 'the last id, when there is one' : `the last id, ${lastEventId}`],
    ['chosen', 'a chosen id'],
    ['wrong', 'a wrong id'],
    ['none', 'nothing: do not resume'],
  ] as const;
}
