import { createFactMask } from '../capture/mask-fact.ts';
import { openSecrets, type Secrets } from '../capture/secrets.ts';
import type { Cut, Header, StoredBytes, StoredUrl } from '../capture/stored-text.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { AppError } from '../errors.ts';
import { findSecrets, isSecretMember, MASKED } from './find-secrets.ts';
import { joinBytes } from './text-bytes.ts';
import { groupByCarrier, type HarLog } from './write-har.ts';

/** A log without its secrets. */
export interface RedactedLog extends HarLog {
  /** How many different values of each class are hidden. */
  counts: ReadonlyMap<string, number>;
  /** Throws an `AppError` where a piece of what is written still holds a secret. */
  check(piece: string): void;
}

/**
 * Hides every secret of a log, those that were found by name or looks also wherever else their values stand. What
 * is hidden is overwritten in place, as the recorder does it: offsets stay true, and equal values have equal
 * fingerprints, under a key that is of this export only.
 */
export async function redactLog(log: HarLog): Promise<RedactedLog> {
  const secrets = await openSecrets({ load: () => Promise.resolve(undefined), save: () => {} });
  const classes = new Map<string, string>();
  const found = (value: string, secretClass: string) => {
    if (classes.has(value)) return;
    classes.set(value, secretClass);
    secrets.register(value);
  };
  const { carriers, rest } = groupByCarrier(log.events);
  for (const events of [rest, ...carriers.values()]) findSecrets(await log.load(events), found);
  const counts = new Map<string, number>();
  for (const secretClass of classes.values()) {
    counts.set(secretClass, (counts.get(secretClass) ?? 0) + 1);
  }
  return {
    ...log,
    counts,
    async load(wanted) {
      return redactEvents(await log.load(wanted), secrets);
    },
    check(piece) {
      const { cuts } = secrets.maskText(piece);
      if (cuts === undefined) return;
      const message = `The file was not written: ${cuts.length} secrets would still have been in it.`;
      throw new AppError({ code: 'file-unsafe', message });
    },
  };
}

/** The events of one exchange or socket in order, or others, without their secrets. */
function redactEvents(events: readonly WireEvent[], secrets: Secrets): WireEvent[] {
  const mask = createFactMask(besideMasks(secrets));
  const inBody = cutsInBody(events, secrets);
  let start = 0;
  return events.map((event) => {
    if (event.kind !== 'http-chunk') {
      return hideShortMembers(keepCuts(event, mask(event) as WireEvent), secrets);
    }
    const end = start + event.data.bytes.length;
    const cuts = inBody.flatMap((cut) => within(cut, start, end));
    start = end;
    return cuts.length === 0 ? event : { ...event, data: withCuts(event.data, cuts) };
  });
}

/** Chunks are looked at as one: a secret may begin in one and end in another. */
function cutsInBody(events: readonly WireEvent[], secrets: Secrets): Cut[] {
  const chunks = events.filter((event) => event.kind === 'http-chunk');
  const body = joinBytes(chunks.map(({ data }) => data.bytes));
  const { cuts = [] } = secrets.maskChunk(body);
  return mergeCuts(cuts, shortMembers(latin1.decode(body), secrets));
}

/** What reads as masked is no secret any more, and must not become one. */
function besideMasks(secrets: Secrets): Secrets {
  return {
    ...secrets,
    register: (value) => (MASKED.test(value) ? '' : secrets.register(value)),
    maskUrl: (text) => (text.includes('**') ? secrets.maskText(text) : secrets.maskUrl(text)),
    maskHeader(header) {
      if (header.cuts === undefined) return secrets.maskHeader(header);
      const { text: value, cuts } = secrets.maskText(header.value);
      return { name: header.name, value, ...(cuts === undefined ? {} : { cuts }) };
    },
  };
}

/** What was masked when it was recorded stays as it is: its fingerprints say what is equal. */
function keepCuts(before: WireEvent, event: WireEvent): WireEvent {
  switch (event.kind) {
    case 'http-request': {
      const was = before as typeof event;
      return {
        ...event,
        url: mergeText(was.url, event.url),
        headers: mergeHeaders(was.headers, event.headers),
        ...(event.body && was.body ? { body: mergeBytes(was.body, event.body) } : {}),
      };
    }
    case 'http-sent': {
      const was = before as typeof event;
      return {
        ...event,
        headers: mergeHeaders(was.headers, event.headers),
        added: mergeHeaders(was.added, event.added),
      };
    }
    case 'http-response':
    case 'http-received': {
      const was = before as typeof event;
      return { ...event, headers: mergeHeaders(was.headers, event.headers) };
    }
    case 'socket-frame': {
      const was = before as typeof event;
      return { ...event, data: mergeBytes(was.data, event.data) };
    }
    case 'session-assigned':
    case 'session-replaced': {
      const was = before as typeof event;
      return was.cuts.length > 0 ? was : event;
    }
    case 'connection-opened': {
      const was = before as typeof event;
      const { profile } = event;
      const headers = mergeHeaders(was.profile.headers, profile.headers);
      return {
        ...event,
        profile: { ...profile, url: mergeText(was.profile.url, profile.url), headers },
      };
    }
    case 'auth-challenged':
    case 'auth-credential': {
      const { secret } = before as typeof event;
      return secret === undefined ? event : { ...event, secret };
    }
    case 'auth-consent': {
      const { url } = before as typeof event;
      return url && event.url ? { ...event, url: mergeText(url, event.url) } : event;
    }
    case 'auth-started':
    case 'socket-opening':
    case 'page-navigated': {
      const was = before as typeof event;
      return { ...event, url: mergeText(was.url, event.url) };
    }
    default:
      return event;
  }
}

function mergeText(before: StoredUrl, after: StoredUrl): StoredUrl {
  if (before.cuts === undefined) return after;
  return { text: after.text, cuts: mergeCuts(before.cuts, after.cuts) };
}

function mergeHeaders(before: readonly Header[], after: readonly Header[]): Header[] {
  return after.map((header, index) => {
    const cuts = before[index]?.cuts;
    return cuts === undefined ? header : { ...header, cuts: mergeCuts(cuts, header.cuts) };
  });
}

function mergeBytes(before: StoredBytes, after: StoredBytes): StoredBytes {
  if (before.cuts === undefined) return after;
  return { ...after, cuts: mergeCuts(before.cuts, after.cuts) };
}

/** The first ones win where both say something of the same place. */
function mergeCuts(first: readonly Cut[], second: readonly Cut[] = []): Cut[] {
  const added = second.filter(
    ({ offset, length }) =>
      !first.some((cut) => cut.offset < offset + length && offset < cut.offset + cut.length),
  );
  return [...first, ...added].toSorted((a, b) => a.offset - b.offset);
}

/** A value that is too short to be looked for everywhere is hidden where its name stands. */
const MEMBER = /"(?<name>[A-Za-z_]{5,30})"\s*:\s*"(?<value>(?:[^"\\]|\\.){1,12})"/g;
const latin1 = new TextDecoder('latin1');

function hideShortMembers(event: WireEvent, secrets: Secrets): WireEvent {
  if (event.kind === 'http-request' && event.body !== undefined) {
    const cuts = shortMembers(latin1.decode(event.body.bytes), secrets);
    return cuts.length === 0 ? event : { ...event, body: withCuts(event.body, cuts) };
  }
  if (event.kind === 'socket-frame' && event.opcode === 'text') {
    const cuts = shortMembers(latin1.decode(event.data.bytes), secrets);
    return cuts.length === 0 ? event : { ...event, data: withCuts(event.data, cuts) };
  }
  return event;
}

function shortMembers(text: string, secrets: Secrets): Cut[] {
  return [...text.matchAll(MEMBER)].flatMap((match) => {
    const { name = '', value = '' } = match.groups ?? {};
    if (!isSecretMember(name) || MASKED.test(value)) return [];
    const offset = match.index + match[0].length - 1 - value.length;
    return [{ offset, length: value.length, secret: secrets.register(value), from: 0 }];
  });
}

function within({ offset, length, secret }: Cut, start: number, end: number): Cut[] {
  const from = Math.max(offset, start);
  const to = Math.min(offset + length, end);
  return from < to
    ? [{ offset: from - start, length: to - from, secret, from: from - offset }]
    : [];
}

function withCuts(data: StoredBytes, cuts: readonly Cut[]): StoredBytes {
  const bytes = data.bytes.slice();
  for (const { offset, length } of cuts) bytes.fill(0x2a, offset, offset + length);
  return { ...data, bytes, cuts: mergeCuts(data.cuts ?? [], cuts) };
}
