import type { JsonValue } from './json-value.ts';

/** Names of what is given anew every time. */
const NAMES = new Set([
  'id',
  'uuid',
  'guid',
  'requestid',
  'request_id',
  'taskid',
  'task_id',
  'sessionid',
  'session_id',
  'traceid',
  'trace_id',
  'spanid',
  'traceparent',
  'progresstoken',
  'subscriptionid',
  'nonce',
  'etag',
  'cursor',
  'nextcursor',
  'requeststate',
  'timestamp',
  'time',
  'date',
  'duration',
  'elapsed',
  'uptime',
  'pid',
]);

/** `createdAt`, `updated_at`, `lastModified`, `durationMs`. */
const TIMED = /(?:[a-z]At|_at|Time|_time|Date|_date|Timestamp|_timestamp|Ms|_ms|lastModified)$/;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

const HEADERS = new Set([
  'date',
  'age',
  'etag',
  'last-modified',
  'expires',
  'mcp-session-id',
  'traceparent',
  'tracestate',
  'x-request-id',
  'x-correlation-id',
  'x-amzn-trace-id',
  'x-response-time',
  'cf-ray',
  'server-timing',
  'last-event-id',
  'content-length',
  'set-cookie',
]);

/** Whether a value is an id, a time or a token, and so another one in every run. Never a list or an object. */
export function isVolatileValue(key: string, value: JsonValue): boolean {
  if (typeof value === 'string' && (UUID.test(value) || ISO_TIME.test(value))) return true;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    return false;
  }
  // Of a name that says neither, as `_meta["io.example/progressToken"]`, the last part counts.
  const name = key.slice(key.lastIndexOf('/') + 1);
  return NAMES.has(name.toLowerCase()) || TIMED.test(name);
}

/** Whether a header has another value in every run. */
export function isVolatileHeader(name: string): boolean {
  return HEADERS.has(name.toLowerCase());
}
