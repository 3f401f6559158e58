import type { Span } from '../../lib/capture/store/stored-text.ts';
import { createSseReader } from '../../lib/transport/sse/sse-reader.ts';
import type { SseEvent } from '../../lib/transport/sse/sse-reader.ts';

/** One call of the sink. */
export type SseReport =
  | { kind: 'event'; event: SseEvent }
  | { kind: 'comment'; line: Span }
  | { kind: 'retry'; line: Span; retryMs: number }
  | { kind: 'ignored'; line: Span; reason: string }
  | { kind: 'discarded'; tail: Span }
  | { kind: 'limit'; block: Span };

/** Feeds chunks to a reader; `received` says how many bytes had been pushed when each report came. */
export function createReportingReader(limitBytes = 1024 * 1024) {
  const reports: SseReport[] = [];
  const received: number[] = [];
  let pushedBytes = 0;
  const report = (entry: SseReport): void => {
    reports.push(entry);
    received.push(pushedBytes);
  };
  const reader = createSseReader(
    {
      event: (event) => report({ kind: 'event', event }),
      comment: (line) => report({ kind: 'comment', line }),
      retry: (line, retryMs) => report({ kind: 'retry', line, retryMs }),
      ignored: (line, reason) => report({ kind: 'ignored', line, reason }),
      discarded: (tail) => report({ kind: 'discarded', tail }),
    },
    { limitBytes, onLimit: (block) => report({ kind: 'limit', block }) },
  );
  return {
    reports,
    received,
    push(chunk: Uint8Array) {
      pushedBytes += chunk.length;
      reader.push(chunk);
    },
    end: () => reader.end(),
    pendingBytes: () => reader.pendingBytes,
  };
}

/** All reports of a whole body, cut into chunks of these sizes over and over. */
export function reportsOf(body: Uint8Array, sizes: number[] = [body.length], limitBytes?: number) {
  const reader = createReportingReader(limitBytes);
  let offset = 0;
  for (let turn = 0; offset < body.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    reader.push(body.slice(offset, offset + size));
    offset += size;
  }
  reader.end();
  return reader;
}
