import { useId, useMemo, useState } from 'preact/hooks';
import type { ConnectionSummary } from '../../lib/port/contract.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { canSend } from '../../lib/state/connect/connection-state.ts';
import { createResumptions } from '../../lib/state/lab/lab-resumptions.ts';
import { toDropTargets } from '../../lib/state/lab/lab-targets.ts';
import { ArmedList } from './ArmedList.tsx';
import { DropForm } from './DropForm.tsx';
import { FaultForm } from './FaultForm.tsx';
import { VerdictList } from './VerdictList.tsx';
import './Lab.css';

// A chunk of its own, which like the connect card imports nothing that the popup shares with the panel.

interface LabProps {
  connection: ConnectionSummary;
  model: AppModel;
}

/** Faults on purpose in one connection, and how its streams come through them: one button until it is opened. */
export function Lab({ connection, model }: LabProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const armed = connection.armed?.length ?? 0;
  return (
    <>
      <button
        type="button"
        id={`lab-${connection.connectionId}`}
        class={armed > 0 ? 'lab-toggle injected' : 'lab-toggle'}
        aria-expanded={isOpen}
        aria-controls={id}
        title="Drop streams, resume them, and put faults into our own transport"
        onClick={() => setOpen(!isOpen)}
      >
        {armed > 0 ? `Lab, ${armed} armed` : 'Lab'} ›
      </button>
      {isOpen && (
        <section class="lab" id={id} aria-label="Lab">
          <OpenLab connection={connection} model={model} />
        </section>
      )}
    </>
  );
}

function OpenLab({ connection, model }: LabProps) {
  const { connectionId } = connection;
  const { correlation } = model;
  const [problem, setProblem] = useState('');
  const resumptions = useMemo(
    () => createResumptions(connectionId, correlation),
    [connectionId, correlation],
  );
  // Items change in place: who reads a row is told of every batch that changes one.
  model.traffic.rowAt(-1);
  resumptions.refresh();

  /** Owns the failure of what the background was asked for. */
  function watch(work: Promise<unknown>): void {
    setProblem('');
    work.catch((error: unknown) => setProblem(wordsOf(error)));
  }

  return (
    <>
      {canSend(connection) && (
        <div class="lab-forms">
          <DropForm
            connection={connection}
            targets={toDropTargets(connectionId, resumptions.streams, correlation)}
            onDrop={(carrierId, drop) => watch(model.lab.dropStream(connectionId, carrierId, drop))}
          />
          {connection.transport !== 'websocket' && (
            <FaultForm
              connection={connection}
              onArm={(fault, place) => watch(model.lab.armFault(connectionId, fault, place))}
            />
          )}
        </div>
      )}
      <p class="error" role="alert" hidden={problem === ''}>
        {problem}
      </p>
      <ArmedList
        armed={connection.armed ?? []}
        nameOf={(carrierId) =>
          toDropTargets(connectionId, resumptions.streams, correlation).find(
            (target) => target.carrierId === carrierId,
          )?.name
        }
        onDisarm={(faultId) => watch(model.lab.disarmFault(connectionId, faultId))}
      />
      <VerdictList resumptions={resumptions.all} model={model} />
    </>
  );
}

/** What comes over the port is a problem, or an error of the port itself. */
function wordsOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage ? String(error.message) : String(error);
}
