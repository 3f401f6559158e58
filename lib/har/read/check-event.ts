import type { WireEvent } from '../../capture/wire-event.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
/** What a date can hold. */
const isMoment: Check = (value) => isNumber(value) && Math.abs(Number(value)) <= 8.64e15;
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every((each) => check(each));
}

/** Members that must be there, and those that may be. */
function isShape(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  return (value) => {
    if (!isObject(value)) return false;
    const given = value as Record<string, unknown>;
    return (
      Object.entries(required).every(([key, check]) => check(given[key])) &&
      Object.entries(optional).every(
        ([key, check]) => given[key] === undefined || check(given[key]),
      )
    );
  };
}

const isCut = isShape({ offset: isCount, length: isCount, secret: isText, from: isCount });
const isCuts = isListOf(isCut);
const isUrl = isShape({ text: isText }, { cuts: isCuts });
const isHeaders = isListOf(isShape({ name: isText, value: isText }, { cuts: isCuts }));
const isBytes = isShape({ bytes: (value) => value instanceof Uint8Array }, { cuts: isCuts });
const isSpan = isShape({ offset: isCount, length: isCount });
const isProblem = isShape({ code: isText, message: isText }, { advice: isText, detail: isText });
const isProfile = isShape({
  url: isUrl,
  transport: isText,
  headers: isHeaders,
  originPolicy: isObject,
  reconnection: isObject,
});

const STAMP = isShape(
  {
    sequence: isCount,
    kind: isText,
    bootId: isText,
    wallTime: isMoment,
    monotonicTime: isNumber,
  },
  { connectionId: isText, origin: isShape({ kind: isText }) },
);

/** Members that are texts, or numbers, in events of every kind. */
const TEXTS =
  'address announced askedBy by cause change deadline direction era event foreign host id issuer method note opcode outcome phase protocol purpose resource revision rpcId rung serverName serverVersion state statusLine statusText subprotocol transport verdict what';
const NUMBERS =
  'awayMs code delayMs durationMs fromSequence of retryMs sizeBytes toSequence uncommittedBytes';

function all(names: string, check: Check): Record<string, Check> {
  return Object.fromEntries(names.split(' ').map((name) => [name, check]));
}

/** What a member must look like wherever there is one. */
const MEMBERS: Record<string, Check> = {
  ...all(TEXTS, isText),
  ...all(NUMBERS, isNumber),
  added: isHeaders,
  block: isSpan,
  body: isBytes,
  carrierId: isText,
  chain: isText,
  cuts: isCuts,
  end: isShape(
    { outcome: isText },
    { problem: isProblem, errorName: isText, cause: isText, note: isText, sizeBytes: isNumber },
  ),
  evidence: isListOf(isText),
  fault: isShape({ kind: isText }),
  headers: isHeaders,
  httpId: isText,
  line: isSpan,
  links: isObject,
  lost: isListOf(isText),
  offset: isCount,
  phases: isListOf(isShape({ name: isText, startMs: isNumber, endMs: isNumber })),
  problem: isProblem,
  profile: isProfile,
  question: isShape({ kind: isText }),
  reason: isText,
  resumed: isListOf(isText),
  scopes: isListOf(isText),
  session: isText,
  socketId: isText,
  status: isNumber,
  subprotocols: isListOf(isText),
  tail: isSpan,
  url: isUrl,
};

/** Without these, nothing can be made of an event of that kind. */
const REQUIRED: Partial<Record<WireEvent['kind'], readonly string[]>> = {
  'connection-opened': ['profile'],
  'connection-failed': ['problem'],
  'session-assigned': ['session', 'cuts'],
  'session-replaced': ['session', 'cuts'],
  'http-request': ['httpId', 'url', 'headers', 'links'],
  'http-sent': ['httpId', 'headers', 'added'],
  'http-received': ['httpId', 'headers'],
  'http-response': ['httpId', 'status', 'headers'],
  'http-chunk': ['httpId', 'offset', 'data'],
  'http-end': ['httpId', 'end'],
  'sse-event': ['httpId', 'block'],
  'sse-comment': ['httpId', 'line'],
  'sse-retry': ['httpId', 'line'],
  'sse-ignored': ['httpId', 'line'],
  'sse-discarded': ['httpId', 'tail'],
  'socket-opening': ['socketId', 'url', 'subprotocols'],
  'socket-frame': ['socketId', 'data'],
  'socket-close': ['socketId', 'reason'],
  'fault-injected': ['carrierId', 'fault'],
};

/**
 * Throws where an event of a file is not of the shape that its kind has: whoever wrote it, nothing that reads the log
 * later has to expect it.
 */
export function checkEvent(event: WireEvent): WireEvent {
  if (!STAMP(event)) throw new TypeError('It has not what every event has.');
  const given: Record<string, unknown> = { ...event };
  const isData = event.kind === 'sse-event' ? isListOf(isSpan) : isBytes;
  for (const [key, value] of Object.entries(given)) {
    const check = key === 'data' ? isData : Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
    if (value !== undefined && check?.(value) === false) throw new TypeError(`Its ${key} is none.`);
  }
  for (const key of REQUIRED[event.kind] ?? []) {
    if (given[key] === undefined) throw new TypeError(`It has no ${key}.`);
  }
  return event;
}
