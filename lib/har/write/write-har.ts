import { applyToConnections } from '../../capture/correlate/connection-record.ts';
import type { ConnectionRecord } from '../../capture/correlate/items.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import { formatBytes, formatCount } from '../../text.ts';
import { shiftEvent, toLogEvent, type EventJson } from '../event-json.ts';
import {
  SCHEMA,
  type HarConnection,
  type HarEntry,
  type HarHead,
  type HarRedaction,
  type HarTruncation,
  type LogMcp,
} from '../har-format.ts';
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
  /** How long texts were cut. */
  truncation?: HarTruncation;
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

/** A recording that is about to be written: what is said of it as a whole, and its entries as they are wanted. */
export interface OpenedEntries {
  mcp: LogMcp;
  comment?: string;
  /** Events that no entry carries. */
  told: readonly WireEvent[];
  count: number;
  entries: AsyncGenerator<HarEntry>;
}

/** Begins to write a recording. Rejects where bytes cannot be read. */
export async function openEntries(log: HarLog, options: WriteOptions): Promise<OpenedEntries> {
  const { selected, progress, signal } = options;
  const { carriers, rest } = groupByCarrier(log.events);
  const chosen = [...carriers].filter(([key]) => selected === undefined || selected.has(idOf(key)));
  // A file begins to count at one.
  const shift = 1 - (log.events[0]?.sequence ?? 1);
  const told = await log.load(selected === undefined ? rest : rest.filter(belongsTo(chosen)));

  async function* entries(): AsyncGenerator<HarEntry> {
    for (const [index, [, events]] of chosen.entries()) {
      signal?.throwIfAborted();
      const full = await log.load(events);
      yield toEntry(full.map((event) => shiftEvent(event, shift)));
      progress?.(index + 1, chosen.length);
    }
  }

  return {
    mcp: {
      schema: SCHEMA.name,
      schemaVersion: SCHEMA.version,
      capture: {
        name: log.name,
        startedMs: log.events[0]?.wallTime ?? 0,
        endedMs: log.events.at(-1)?.wallTime ?? 0,
      },
      ...selectionOf(log, selected === undefined ? undefined : [chosen.length, carriers.size]),
      ...doneTo(log),
      boot: log.events[0]?.bootId ?? '',
      connections: toConnections(told),
      events: [],
    },
    ...commentOf(log),
    told: told.map((event) => shiftEvent(event, shift)),
    count: chosen.length,
    entries: entries(),
  };
}

/**
 * Writes a recording as HAR 1.2, a piece at a time: what an entry cannot say stands in its `_mcp`, and every event
 * that no entry carries in `log._mcp.events`, so that reading the file gives the same log. The same recording
 * always gives the same text. Rejects where bytes cannot be read, or with the reason of the signal.
 */
export async function* writeHar(log: HarLog, options: WriteOptions): AsyncGenerator<string> {
  const opened = await openEntries(log, options);
  const { mcp, told, entries, comment } = opened;
  const { creator, browser } = { ...options, ...log.head };
  const head = JSON.stringify({
    log: { version: '1.2', creator, browser, pages: [], comment, _mcp: mcp },
  });
  // The events go in one line each, before what closes `_mcp`, `log` and the file.
  const open = head.lastIndexOf(']');
  yield `${head.slice(0, open)}\n`;
  let separator = '';
  for (const event of told) {
    options.signal?.throwIfAborted();
    yield `${separator}${toLine(toLogEvent(event, { bootId: mcp.boot }))}`;
    separator = ',\n';
  }
  yield `${head.slice(open, head.lastIndexOf('}}'))},"entries":[\n`;
  separator = '';
  for await (const entry of entries) {
    yield `${separator}${toLine(entry)}`;
    separator = ',\n';
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

/** What was done now, or else what had been done before. */
function doneTo({ redaction, truncation, head }: HarLog): Pick<LogMcp, 'redaction' | 'truncation'> {
  const hidden = redaction ?? head?.redaction;
  const cut = truncation ?? head?.truncation;
  return {
    ...(hidden === undefined ? {} : { redaction: hidden }),
    ...(cut === undefined ? {} : { truncation: cut }),
  };
}

function commentOf({ redaction, truncation, head }: HarLog): { comment?: string } {
  const words: string[] = [];
  if (redaction !== undefined) {
    const total = Object.values(redaction.counts).reduce((sum, count) => sum + count, 0);
    words.push(
      `Secrets are replaced by pseudonyms of this file: ${formatCount(total, 'value')}.`,
      ...(redaction.profile === 'structure-only' ? ['Contents of messages are left out.'] : []),
    );
  }
  if (truncation !== undefined) {
    const { bodies, limitBytes } = truncation;
    const larger = formatCount(bodies, 'body', 'bodies');
    words.push(`Long texts are cut in ${larger} of more than ${formatBytes(limitBytes)}.`);
  }
  const comment = words.length === 0 ? head?.comment : words.join(' ');
  return comment === undefined ? {} : { comment };
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
