import type { TraceContext } from '../../lib/state/detail/trace-context.ts';
import { CopyButton } from '../ui/CopyButton.tsx';

/** The trace that a message belongs to, to be looked up where the server's own traces are. */
export function TraceFact({ trace }: { trace: TraceContext }) {
  const { traceparent, traceId, spanId } = trace;
  return (
    <p class="message-note">
      Trace{' '}
      {traceId === undefined ? (
        <>
          <code>{traceparent}</code> <span class="warning">is no W3C trace context</span>
        </>
      ) : (
        <>
          <code>{traceId}</code>, span <code>{spanId}</code>
        </>
      )}{' '}
      <CopyButton title="Copy the trace context" text={() => traceparent} />
    </p>
  );
}
