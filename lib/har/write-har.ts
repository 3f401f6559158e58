import { applyToConnections } from '../capture/connection-record.ts';
import type { ConnectionRecord } from '../capture/items.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { formatCount } from '../text.ts';
import { shiftEvent, toLogEvent, type EventJson } from './event-json.ts';
import {
  SCHEMA,
  type HarConnection,
  type HarEntry,
  type HarHead,
  type HarRedaction,
  type LogMcp,
} from './har-format.ts';
import { toHttpEntry } from './http-entry.ts';
import { toSocketEntry } from './socket-entry.ts';

/** A recording to be written. */
export interface HarLog {
  name: string;
  /** All events in order. The bytes of some may be on disk only. */
  events: readonly WireEvent[];
  /** The same events with all their bytes; what cannot be read rejects. */
  load(events: readonly WireEvent[]): Promise<readonly WireEvent[]>;
  /** What was done to hide its secrets. */
  redaction?: HarRedaction;
  /** What a file of ours said of itself that this was read from: it is said again. */
  head?: HarHead;
}

export interface WriteOptions {
  creator: { name: string; version: string };
  /** The browser that it was recorded in. */
  browser?: { name: string; version: string };
  /** `httpId`s and `socketId`s to be written; all where absent. */
  selected?: ReadonlySet<string>;
  /** Told after each entry. */
  progress?(written: number, of: number): void;
  /** Ends the writing by throwing its reason. */
  signal?: AbortSignal;
}

/**
 * Writes a recording as HAR 1.2, a piece at a time: what an entry cannot say stands in its `_mcp`, and every event
 * that no entry carries in `log._mcp.events`, so that reading the file gives the same log. The same recording
 * always gives the same text. Rejects where bytes cannot be read, or with the reason of the signal.
 */
export async function* writeHar(log: HarLog, options: WriteOptions): AsyncGenerator<string> {
  const { selected, progress, signal } = options;
  const { carriers, rest } = groupByCarrier(log.events);
  const chosen = [...carriers].filter(([key]) => selected === undefined || selected.has(idOf(key)));
  // A file begins to count at one.
  const shift = 1 - (log.events[0]?.sequence ?? 1);
  const told = selected === undefined ? rest : rest.filter(belongsTo(chosen));
  const shared = { bootId: log.events[0]?.bootId ?? '' };
  const loaded = await log.load(told);
  const mcp: LogMcp = {
    schema: SCHEMA.name,
    schemaVersion: SCHEMA.version,
    capture: {
      name: log.name,
      startedMs: log.events[0]?.wallTime ?? 0,
      endedMs: log.events.at(-1)?.wallTime ?? 0,
    },
    ...selectionOf(log, selected === undefined ? undefined : [chosen.length, carriers.size]),
    ...redactionOf(log),
    boot: shared.bootId,
    connections: toConnections(loaded),
    events: [],
  };
  const { creator, browser, comment } = { ...options, ...commentOf(log), ...log.head };
  const head = JSON.stringify({
    log: { version: '1.2', creator, browser, pages: [], comment, _mcp: mcp },
  });
  // The events go in one line each, before what closes `_mcp`, `log` and the file.
  const open = head.lastIndexOf(']');
  yield `${head.slice(0, open)}\n`;
  let separator = '';
  for (const event of loaded) {
    signal?.throwIfAborted();
    yield `${separator}${toLine(toLogEvent(shiftEvent(event, shift), shared))}`;
    separator = ',\n';
  }
  yield `${head.slice(open, head.lastIndexOf('}}'))},"entries":[\n`;
  separator = '';
  for (const [index, [, events]] of chosen.entries()) {
    signal?.throwIfAborted();
    const full = await log.load(events);
    yield `${separator}${toLine(toEntry(full.map((event) => shiftEvent(event, shift))))}`;
    separator = ',\n';
    progress?.(index + 1, chosen.length);
  }
  yield '\n]}}\n';
}

function selectionOf(
  { head }: HarLog,
  chosen: [entries: number, of: number] | undefined,
): Pick<LogMcp, 'selection'> {
  const before = head?.selection;
  if (chosen === undefined) return before === undefined ? {} : { selection: before };
  const [entries, of] = chosen;
  return { selection: { entries, of: before?.of ?? of } };
}

/** What is hidden now, or else what had been hidden before. */
function redactionOf({ redaction, head }: HarLog): Pick<LogMcp, 'redaction'> {
  const done = redaction ?? head?.redaction;
  return done === undefined ? {} : { redaction: done };
}

function commentOf({ redaction }: HarLog): { comment?: string } {
  if (redaction === undefined) return {};
  const total = Object.values(redaction.counts).reduce((sum, count) => sum + count, 0);
  const words = redaction.profile === 'structure-only' ? ' Contents of messages are left out.' : '';
  const comment = `Secrets are replaced by pseudonyms of this file: ${formatCount(total, 'value')}.${words}`;
  return { comment };
}

/** Events by the exchange or socket that their entry is for, in order of its first; and all others. */
export function groupByCarrier(events: readonly WireEvent[]): {
  carriers: Map<string, WireEvent[]>;
  rest: WireEvent[];
} {
  const carriers = new Map<string, WireEvent[]>();
  const rest: WireEvent[] = [];
  for (const event of events) {
    const carrier = carrierOf(event);
    const isFirst = event.kind === 'http-request' || event.kind === 'socket-opening';
    const list = carriers.get(carrier ?? '');
    if (carrier !== undefined && isFirst && list === undefined) carriers.set(carrier, [event]);
    else if (list === undefined || isFirst) rest.push(event);
    else list.push(event);
  }
  return { carriers, rest };
}

/** What an event is a part of, as a key; what is only said about an exchange is an event of the log. */
function carrierOf(event: WireEvent): string | undefined {
  if (/^(?:http|sse)-/.test(event.kind) && 'httpId' in event) return `http ${event.httpId}`;
  if (event.kind.startsWith('socket-') && 'socketId' in event) return `socket ${event.socketId}`;
  return undefined;
}

function idOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

function belongsTo(chosen: readonly [string, WireEvent[]][]): (event: WireEvent) => boolean {
  const connections = new Set(chosen.map(([, events]) => events[0]?.connectionId));
  return (event) =>
    carrierOf(event) === undefined &&
    (event.connectionId === undefined || connections.has(event.connectionId));
}

function toEntry(events: readonly WireEvent[]): HarEntry {
  return events[0]?.kind === 'socket-opening' ? toSocketEntry(events) : toHttpEntry(events);
}

/** A byte order mark is kept by all readers only where it is escaped. */
function toLine(value: HarEntry | EventJson): string {
  return JSON.stringify(value).replaceAll('\uFEFF', String.raw`\ufeff`);
}

function toConnections(events: readonly WireEvent[]): HarConnection[] {
  const records = new Map<string, ConnectionRecord>();
  for (const event of events) applyToConnections(records, event);
  return [...records.values()].map((record) => {
    const { connectionId, url, transport, era, revision, session } = record;
    const { serverName: name, serverVersion: version = '' } = record;
    return {
      id: connectionId,
      url,
      ...(transport === undefined ? {} : { transport }),
      ...(era === undefined ? {} : { era }),
      ...(revision === undefined ? {} : { revision }),
      ...(session === undefined ? {} : { session }),
      ...(name === undefined ? {} : { server: { name, version } }),
    };
  });
}
