import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item } from '../../capture/correlate/items.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { isRecord } from '../../record.ts';
import { messageSize } from './read-text.ts';

/** The trace that a request belongs to (W3C Trace Context, 3.2). */
export interface TraceContext {
  /** As it stands. */
  traceparent: string;
  /** Absent where it is none. */
  traceId?: string;
  spanId?: string;
}

const FORM = /^[0-9a-f]{2}-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;
/** Nobody sends a trace with so much, in bytes. */
const LARGE = 1_000_000;

/** The trace context that a message carries in its `_meta`, or the header of its request. */
export function traceOf(
  item: Item,
  source: Pick<Correlation, 'https' | 'sockets'>,
): TraceContext | undefined {
  const ref = 'message' in item ? item.message : undefined;
  const isSmall = ref !== undefined && messageSize(source, ref) < LARGE;
  const inMeta = isSmall ? metaTrace(recordedText(source, ref) ?? '') : undefined;
  const isOurs = !('direction' in item) || item.direction === 'outgoing';
  const headers = isOurs ? source.https.get(item.httpId ?? '')?.request.headers : undefined;
  const header = headers?.find(({ name }) => name.toLowerCase() === 'traceparent')?.value;
  const traceparent = inMeta ?? header;
  if (traceparent === undefined) return undefined;
  const { traceId, spanId } = FORM.exec(traceparent)?.groups ?? {};
  if (traceId === undefined || spanId === undefined) return { traceparent };
  return { traceparent, traceId, spanId };
}

function metaTrace(text: string): string | undefined {
  if (!text.includes('"traceparent"')) return undefined;
  const payload = classifyPayload(text);
  const message = payload.kind === 'message' ? payload.message : undefined;
  const holder =
    message === undefined
      ? undefined
      : 'params' in message
        ? message.params
        : 'result' in message
          ? message.result
          : undefined;
  const meta = isRecord(holder) ? holder['_meta'] : undefined;
  const value = isRecord(meta) ? meta['traceparent'] : undefined;
  return typeof value === 'string' ? value : undefined;
}
