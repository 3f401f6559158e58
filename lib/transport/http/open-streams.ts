import { BriefMap } from '../../brief-map.ts';
import type { RpcId } from '../../capture/correlate/items.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { RequestLinks } from '../../capture/wire-event.ts';
import type { StreamCursor } from '../sse/event-stream.ts';
import type { OpenStreams, StreamPosition } from '../transport.ts';

/** A stream as it moves from exchange to exchange. */
export interface OpenStream {
  /** The request that it answers; absent for the standalone one. */
  rpcId: RpcId | undefined;
  /** The exchange that carries it, or carried it last; empty before the first one. */
  httpId: string;
  cursor: StreamCursor;
  /** Ends the exchange that carries it now, as a network that breaks would. */
  drop?: ((why: string) => void) | undefined;
}

/** The streams of one connection that are open, each under itself. */
export type StreamSet = BriefMap<OpenStream, OpenStream>;

/** No stream is open. */
export function newStreamSet(): StreamSet {
  return new BriefMap();
}

/** A stream that begins, or that goes on from a position. */
export function newOpenStream(
  rpcId: RpcId | undefined,
  { httpId = '', lastEventId = '', retryMs }: Partial<StreamPosition>,
): OpenStream {
  return { rpcId, httpId, cursor: { lastEventId, retryMs } };
}

/** Counts a stream as open while something is done with it. */
export async function whileOpen<Outcome>(
  open: StreamSet,
  stream: OpenStream,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  open.set(stream, stream);
  try {
    return await act();
  } finally {
    open.delete(stream);
  }
}

/** Where streams are now: what could be taken up again. */
export function positionsOf(
  streams: Iterable<OpenStream>,
  askingIds: readonly string[],
): OpenStreams {
  const answers = new Map<RpcId, StreamPosition>();
  let standalone: StreamPosition | undefined;
  for (const { rpcId, httpId, cursor } of streams) {
    const { lastEventId, retryMs } = cursor;
    const position = { httpId, lastEventId, ...(retryMs === undefined ? {} : { retryMs }) };
    if (rpcId === undefined) standalone = position;
    else if (lastEventId !== '') answers.set(rpcId, position);
  }
  return { ...(standalone === undefined ? {} : { standalone }), answers, askingIds };
}

/** Breaks what can be opened again; an answer that cannot is better left to its deadline. */
export function dropResumable(streams: Iterable<OpenStream>, why: string): void {
  for (const { rpcId, cursor, drop } of streams) {
    if (rpcId === undefined || cursor.lastEventId !== '') drop?.(why);
  }
}

/** How a stream is asked for: the header that names its place, and what the request hangs together with. */
export function openingOf(
  { cursor, httpId }: OpenStream,
  attempt: number,
  reason: 'reopen' | 'resume',
): { headers: Header[]; links: RequestLinks } {
  const { lastEventId } = cursor;
  const headers = [{ name: 'Accept', value: 'text/event-stream' }];
  if (lastEventId !== '') headers.push({ name: 'Last-Event-ID', value: inBytes(lastEventId) });
  return {
    headers,
    links: {
      ...(lastEventId === '' ? {} : { lastEventId }),
      ...(httpId === '' ? {} : { causedBy: httpId, attempt, reason }),
    },
  };
}

/** UTF-8 with a character for each byte, since a header has no other ones (HTML 9.2.3). */
function inBytes(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/gu, (character) =>
    String.fromCharCode(...new TextEncoder().encode(character)),
  );
}
