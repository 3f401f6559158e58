import type { EventOrigin, WireEvent, WireFact } from '../../capture/wire-event.ts';
import { reasonOf } from '../../capture/store/unreadable.ts';
import { isRecord } from '../../record.ts';
import { createTurns } from '../../turns.ts';
import { createConnections, type Connections } from './foreign-connections.ts';
import { unmisreadBody, type ForeignSource } from './foreign-body.ts';
import { readForeignEntry, type ForeignEntry } from './foreign-entry.ts';
import { answerFacts, readStream, socketFacts, textsIn, type TimedFact } from './foreign-events.ts';
import { parseLoose } from '../loose-json.ts';
import { meaningOf } from './foreign-mcp.ts';
import { cutStandIns, mayHaveStandIn } from './foreign-pseudonyms.ts';
import type { Repair } from '../read/read-own.ts';

/** One life of a worker that never was: all times of a file are by one clock. */
const BOOT = 'imported';

interface Placed extends TimedFact {
  connectionId: string | undefined;
}

/** Takes the entries of any tool's file as they come, and makes a log of them. */
export interface ForeignReader {
  /** One entry as JSON text. One that cannot be read is left out; all else that deviates is put right, and named. */
  add(text: string): void;
  /** All of them as connections, exchanges, events and frames, as if they had been recorded here. */
  finish(creator: string): Promise<WireEvent[]>;
}

/** Reads the files of other tools; every liberty that it takes is a repair. */
export function createForeignReader(
  source: ForeignSource,
  captureId: string,
  repairs: Repair[],
): ForeignReader {
  const entries: Found[] = [];
  let count = 0;
  let isRedacted = false;
  return {
    add(text) {
      count += 1;
      isRedacted ||= mayHaveStandIn(text);
      const where = `entry ${count}`;
      try {
        const json = parseLoose(text);
        if (!isRecord(json)) return void repairs.push({ where, what: 'left out: it is no object' });
        entries.push({ entry: readForeignEntry(json, where, source, repairs), where });
      } catch (error) {
        repairs.push({ where, what: `left out: ${reasonOf(error)}` });
      }
    },
    async finish(creator) {
      const turns = createTurns();
      // Only now is it known for certain who wrote the file.
      if (creator !== 'Firefox') {
        for (const { entry, where } of entries) {
          if (unmisreadBody(entry)) repairs.push({ where, what: MISREAD });
          if (turns.isOver) await turns.next();
        }
      }
      const sorted = inTime(entries);
      const connections = createConnections();
      const placed: Placed[] = [];
      for (const [index, { entry, startedAt, where }] of sorted.entries()) {
        const id = `har-${index + 1}`;
        const facts = factsOf(entry, startedAt, id, connections, where, repairs);
        // No call takes as many arguments as a stream may have events.
        for (const fact of facts) placed.push(fact);
        if (turns.isOver) await turns.next();
      }
      const events = stamp(placed, captureId);
      return isRedacted ? events.map(cutStandIns) : events;
    },
  };
}

const MISREAD = 'UTF-8 that had been read as windows-1252 is put right';

interface Found {
  entry: ForeignEntry;
  where: string;
}

/** In order of time. An entry without one stands where it stood in the file. */
function inTime(found: readonly Found[]): (Found & { startedAt: number })[] {
  let last = found.find(({ entry }) => entry.startedAt !== undefined)?.entry.startedAt ?? 0;
  const timed = found.map((each) => {
    last = each.entry.startedAt ?? last;
    return { ...each, startedAt: last };
  });
  return timed.toSorted((a, b) => a.startedAt - b.startedAt);
}

function factsOf(
  entry: ForeignEntry,
  startedAt: number,
  id: string,
  connections: Connections,
  where: string,
  repairs: Repair[],
): Placed[] {
  const stream = entry.frames === undefined ? readStream(entry, id) : undefined;
  if (stream?.isRebuilt === true) {
    repairs.push({ where, what: 'its stream is made again from the list of its events' });
  }
  const texts = textsIn(entry, stream);
  const meaning = meaningOf(entry, texts);
  const { connectionId, links, facts } = connections.place(entry, id, meaning, texts);
  const told: TimedFact[] =
    entry.frames === undefined
      ? [
          { atMs: startedAt, fact: requestFact(entry, id, meaning.purpose, links) },
          ...answerFacts(entry, id, startedAt, stream),
        ]
      : socketFacts(entry, id, startedAt);
  const endAt = told.at(-1)?.atMs ?? startedAt;
  return [
    ...facts.before.map((fact) => ({ atMs: startedAt, fact })),
    ...told,
    ...facts.after.map(({ fact, atMs = endAt }) => ({ atMs, fact })),
  ].map((timed) => ({ ...timed, connectionId }));
}

function requestFact(
  { method, url, requestHeaders: headers, requestBody, foreign }: ForeignEntry,
  httpId: string,
  purpose: Extract<WireFact, { kind: 'http-request' }>['purpose'],
  links: Extract<WireFact, { kind: 'http-request' }>['links'],
): WireFact {
  return {
    kind: 'http-request',
    httpId,
    purpose,
    method,
    url: { text: url },
    headers,
    ...(requestBody === undefined ? {} : { body: { bytes: Uint8Array.from(requestBody) } }),
    links,
    ...(foreign === undefined ? {} : { foreign }),
  };
}

function stamp(placed: readonly Placed[], captureId: string): WireEvent[] {
  const sorted = placed.toSorted((a, b) => a.atMs - b.atMs);
  const firstAt = sorted[0]?.atMs ?? 0;
  return sorted.map(({ atMs, isTimeUnknown, fact, connectionId }, index) => {
    const origin: EventOrigin = { kind: 'imported', ...(isTimeUnknown && { isTimeUnknown }) };
    return {
      sequence: index + 1,
      captureId,
      bootId: BOOT,
      wallTime: atMs,
      monotonicTime: Math.round((atMs - firstAt) * 1000) / 1000,
      ...(connectionId === undefined ? {} : { connectionId }),
      origin,
      ...fact,
    };
  });
}
