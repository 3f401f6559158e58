import type { ConnectionState } from '../../lib/port/contract.ts';

const SIGNS: Record<ConnectionState, string> = {
  asking: '◌',
  connecting: '◌',
  connected: '●',
  lost: '◍',
  closing: '◌',
  closed: '○',
  failed: '▲',
};

/** The state as a shape, so that it does not hang on colour; words beside it say the same. */
export function StateSign({ state }: { state: ConnectionState }) {
  return (
    <span class={`state-sign state-${state}`} aria-hidden="true">
      {SIGNS[state]}
    </span>
  );
}
