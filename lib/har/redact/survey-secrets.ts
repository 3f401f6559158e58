import { eventText, newHttpRecord } from '../../capture/correlate/http-record.ts';
import type { Cut, StoredUrl } from '../../capture/store/stored-text.ts';
import type { EventOf, WireEvent } from '../../capture/wire-event.ts';
import { headerSpans, maskedHeaderClass, subprotocolSpans } from '../../redact/headers.ts';
import { paramClass } from '../../redact/names.ts';
import { isFitted, isPseudonym } from '../../redact/pseudonyms.ts';
import { NO_RULES, type SecretRules } from '../../redact/rules.ts';
import type { SecretSpan } from '../../redact/spans.ts';
import { urlSpans } from '../../redact/url.ts';
import { decodeUtf8 } from '../../text.ts';
import { createTurns } from '../../turns.ts';
import { visitEvent } from './event-texts.ts';
import { bodySpans, isOfOauth, textSpans, type TextContext } from './secret-places.ts';
import { joinBytes } from '../text-bytes.ts';
import { groupByCarrier, type HarLog } from '../write/write-har.ts';

/** A secret that was found, with the places that gave it away. */
export interface FoundSecret {
  value: string;
  secretClass: string;
  /** The first few. */
  places: string[];
  /** How many there are. */
  count: number;
}

/** All that has to be hidden in a log. */
export interface Survey {
  /** By value. */
  found: ReadonlyMap<string, FoundSecret>;
  /** What was hidden when it was recorded: class and length by fingerprint. */
  recorded: ReadonlyMap<string, { secretClass: string; length: number }>;
  /** Names of headers in small letters, which stay whatever else has the same text. */
  names: ReadonlySet<string>;
}

export interface SurveyOptions {
  rules?: SecretRules;
  signal?: AbortSignal;
  /** From 0 to 1. */
  progress?(share: number): void;
}

const PLACES = 3;

/** Looks through a log for secrets, by the names of what they stand in, and by what they look like. */
export async function surveySecrets(log: HarLog, options: SurveyOptions = {}): Promise<Survey> {
  const { rules = NO_RULES, signal, progress } = options;
  const found = new Map<string, FoundSecret>();
  const recorded = new Map<string, { secretClass: string; length: number }>();
  const names = new Set<string>();
  const turns = createTurns();

  function take(spans: readonly SecretSpan[]): void {
    for (const { value, secretClass, where } of spans) {
      if (isFitted(value) || isPseudonym(value)) continue;
      const known = found.get(value);
      if (known === undefined) {
        found.set(value, { value, secretClass, places: [where], count: 1 });
        continue;
      }
      known.count += 1;
      if (known.places.length < PLACES && !known.places.includes(where)) known.places.push(where);
    }
  }

  function takeCuts(cuts: readonly Cut[] | undefined, classAt: (cut: Cut) => string): void {
    for (const cut of cuts ?? []) {
      const length = cut.from + cut.length;
      const known = recorded.get(cut.secret);
      if (known === undefined) recorded.set(cut.secret, { secretClass: classAt(cut), length });
      else if (known.length < length) known.length = length;
    }
  }

  function lookAt(event: WireEvent, context: TextContext): void {
    visitEvent(event, {
      url(url) {
        takeCuts(url.cuts, ({ offset }) => classInUrl(url.text.slice(0, offset)));
        take(urlSpans(url.text, rules));
        return url;
      },
      header(header) {
        names.add(header.name.toLowerCase());
        takeCuts(header.cuts, () => maskedHeaderClass(header.name));
        take(headerSpans(header.name, header.value, rules));
        return header;
      },
      bytes(data) {
        takeCuts(data.cuts, () => 'tok');
        take(bodySpans(textOf(data.bytes), context));
        return data;
      },
      session(session: StoredUrl) {
        takeCuts(session.cuts, () => 'sid');
        if (session.cuts === undefined || session.cuts.length === 0) {
          const { text: value } = session;
          take([{ offset: 0, length: value.length, secretClass: 'sid', where: 'session', value }]);
        }
        return session;
      },
      words(text, where) {
        if (where.startsWith('subprotocol')) take(subprotocolSpans(text, 'subprotocol'));
        take(wordSpans(text, where, context));
        return text;
      },
      fingerprint(secret) {
        if (!recorded.has(secret)) recorded.set(secret, { secretClass: 'tok', length: 0 });
        return secret;
      },
    });
  }

  const { carriers, rest } = groupByCarrier(log.events);
  const groups = [rest, ...carriers.values()];
  for (const [index, group] of groups.entries()) {
    signal?.throwIfAborted();
    const events = await log.load(group);
    const context = { isOfOauth: isOfOauth(events), rules };
    for (const event of events) lookAt(event, context);
    const chunks = events.filter((event) => event.kind === 'http-chunk');
    for (const { data } of chunks) takeCuts(data.cuts, () => 'tok');
    if (chunks.length > 0) {
      const body = joinBytes(chunks.map(({ data }) => data.bytes));
      take(bodySpans(textOf(body), context));
      for (const text of textsInLines(events, chunks)) take(textSpans(text, context));
    }
    progress?.((index + 1) / groups.length);
    if (turns.isOver) await turns.next();
  }
  take(textSpans(log.name, { isOfOauth: false, rules }));
  return { found, recorded, names };
}

/** Addresses are followed by the rules for them, wherever they are told. */
export function wordSpans(text: string, where: string, context: TextContext): SecretSpan[] {
  const isAddress = where === 'location' || where === 'target' || where === 'announced';
  return isAddress ? urlSpans(text, context.rules) : textSpans(text, context);
}

const latin1 = new TextDecoder('latin1');

function textOf(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? latin1.decode(bytes);
}

/** Texts of stream events that stand in several lines, since the body has something between these. */
function* textsInLines(
  events: readonly WireEvent[],
  chunks: EventOf<'http-chunk'>[],
): Generator<string> {
  const [request] = events;
  if (request?.kind !== 'http-request') return;
  const last = chunks.at(-1);
  const sizeBytes = last === undefined ? 0 : last.offset + last.data.bytes.length;
  const record = { ...newHttpRecord(request), chunks, sizeBytes };
  for (const event of events) {
    if (event.kind !== 'sse-event' || (event.data?.length ?? 0) < 2) continue;
    yield eventText(record, event) ?? '';
  }
}

function classInUrl(before: string): string {
  return paramClass(/[?&#]([^?&#=]*)=$/.exec(before)?.[1] ?? '') ?? 'tok';
}
