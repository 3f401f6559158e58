import type { TransportKind } from '../capture/store/stored-profile.ts';
import type { Era, Purpose, RequestLinks } from '../capture/wire-event.ts';
import type { EventJson } from './event-json.ts';

/** Version of what stands under `_mcp`: a new major one changes meanings, a new minor one only adds. */
export const SCHEMA = { name: 'wirescope', version: '1.0' } as const;

export interface HarHeader {
  name: string;
  value: string;
}

/** Bytes of a body as HAR writes them: as text where they are UTF-8. */
export interface HarText {
  text?: string;
  encoding?: 'base64';
}

export interface HarRequest {
  method: string;
  url: string;
  httpVersion: string;
  cookies: HarHeader[];
  headers: HarHeader[];
  queryString: HarHeader[];
  postData?: { mimeType: string; text: string };
  headersSize: number;
  bodySize: number;
}

export interface HarResponse {
  status: number;
  statusText: string;
  httpVersion: string;
  cookies: HarHeader[];
  headers: HarHeader[];
  content: HarText & { size: number; mimeType: string };
  redirectURL: string;
  headersSize: number;
  bodySize: number;
}

/** Milliseconds; -1 where a phase did not apply or is not known, which `send`, `wait` and `receive` may not say. */
export interface HarTimings {
  blocked: number;
  dns: number;
  connect: number;
  ssl: number;
  send: number;
  wait: number;
  receive: number;
}

/** An event of a stream in Chrome's own shape; `time` is in seconds since the epoch. */
export interface ChromeStreamMessage {
  time: number;
  eventName: string;
  eventId: string;
  data?: string;
}

/** A frame in Chrome's own shape; `time` is in seconds since the epoch, `data` of opcode 2 is base64. */
export interface ChromeSocketMessage {
  type: 'send' | 'receive';
  time: number;
  opcode: 1 | 2;
  data: string;
}

/** What the log knows of an entry and HAR has no place for. */
export interface EntryMcp {
  id: string;
  kind: 'http' | 'websocket';
  connection?: string;
  boot: string;
  purpose?: Purpose;
  links?: RequestLinks;
  /** Milliseconds since the epoch, with their fractions. */
  t0: number;
  /** Whether it came to its end before the file was written. */
  isComplete: boolean;
  /** Of `send`, `wait` and `receive`, those that are 0 because nothing is known. */
  unknownTimings?: string[];
  /** A request body that is no text. */
  requestBody?: HarText;
  /** Everything that was recorded of it, in order; the bytes stand in the entry. */
  events: EventJson[];
}

export interface HarEntry {
  startedDateTime: string;
  time: number;
  request: HarRequest;
  response: HarResponse;
  cache: Record<string, never>;
  timings: HarTimings;
  serverIPAddress?: string;
  comment?: string;
  _resourceType: 'fetch' | 'websocket';
  _error?: string;
  _eventSourceMessages?: ChromeStreamMessage[];
  _webSocketMessages?: ChromeSocketMessage[];
  _mcp: EntryMcp;
}

/** One connection, in a few words for other readers; it is derived anew from the events on import. */
export interface HarConnection {
  id: string;
  url: string;
  transport?: TransportKind;
  era?: Era;
  revision?: string;
  session?: string;
  server?: { name: string; version: string };
}

/** What was done so that the file gives no secrets away. */
export interface HarRedaction {
  /** `structure-only` also replaces every text that is not a name of the protocol. */
  profile: 'share-v1' | 'structure-only';
  /** How many different values are hidden, by class. */
  counts: Record<string, number>;
  /** How many were found and left in the file because its writer wanted that. */
  kept?: number;
  /** What tokens said of themselves that gives nothing away, by pseudonym. */
  jwt?: Record<string, JwtFacts>;
}

/** Members of RFC 7519 and RFC 7515 that are no secrets; times are in seconds since the epoch. */
export interface JwtFacts {
  alg?: string;
  typ?: string;
  iss?: string;
  aud?: string | string[];
  exp?: number;
  iat?: number;
  nbf?: number;
  /** How many scopes it is for. */
  scopes?: number;
}

/** How long texts were cut, where that was wanted. */
export interface HarTruncation {
  /** Bodies and frames up to this size are whole. */
  limitBytes: number;
  /** How many are larger. */
  bodies: number;
}

/** What stands before the entries. */
export interface LogMcp {
  schema: typeof SCHEMA.name;
  schemaVersion: string;
  capture: { name: string; startedMs: number; endedMs: number };
  /** Present where the file holds a part of what was recorded. */
  selection?: { entries: number; of: number };
  /** Present where secrets were looked for. */
  redaction?: HarRedaction;
  /** Present where long texts were cut. */
  truncation?: HarTruncation;
  /** The life of the worker that events are of where they do not say. */
  boot: string;
  connections: HarConnection[];
  /** Every event that no entry carries, in order. */
  events: EventJson[];
}

/** What a file of ours says of itself beside its events. */
export interface HarHead {
  creator: { name: string; version: string };
  browser?: { name: string; version: string };
  comment?: string;
  selection?: { entries: number; of: number };
  redaction?: HarRedaction;
  truncation?: HarTruncation;
}
