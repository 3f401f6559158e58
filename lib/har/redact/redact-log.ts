import type { Cut, StoredBytes, StoredUrl } from '../../capture/store/stored-text.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import { AppError } from '../../errors.ts';
import { headerSpans, subprotocolSpans } from '../../redact/headers.ts';
import { patternSpans } from '../../redact/patterns.ts';
import {
  createPseudonyms,
  fittedPseudonym,
  hexOfPseudonym,
  isFitted,
  isPseudonym,
} from '../../redact/pseudonyms.ts';
import { NO_RULES, type SecretRules } from '../../redact/rules.ts';
import { NUMBER_CLASS, type SecretSpan } from '../../redact/spans.ts';
import { createTaint, type Mark } from '../../redact/taint.ts';
import { urlSpans } from '../../redact/url.ts';
import { visitEvent } from './event-texts.ts';
import type { HarRedaction } from '../har-format.ts';
import { jwtFacts } from './jwt-facts.ts';
import {
  apart,
  CONTENTS,
  fillOf,
  overwriteBytes,
  overwriteText,
  overlaps,
  withoutFills,
  within,
  type FilledCut,
  type Hidden,
} from './overwrite.ts';
import { bodySpans, isOfOauth, type TextContext } from './secret-places.ts';
import { structureSpans } from './structure.ts';
import { wordSpans, type Survey } from './survey-secrets.ts';
import { joinBytes } from '../text-bytes.ts';
import type { HarLog } from '../write/write-har.ts';

/** A log without its secrets. */
export interface RedactedLog extends HarLog {
  redaction: HarRedaction;
  /** Throws an `AppError` where a piece of what is written still holds a secret. */
  check(piece: string): void;
}

export interface RedactOptions {
  rules?: SecretRules;
  /** Values that are to stay. */
  kept?: ReadonlySet<string>;
  /** `structure-only` also replaces every text that is not a name of the protocol. */
  profile?: RedactionProfile;
  /** Fingerprints of a file that was read mean nothing here, and stay as they are. */
  isImported?: boolean;
}

export type RedactionProfile = HarRedaction['profile'];

const latin1 = new TextDecoder('latin1');
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Hides the secrets of a log that a survey has found, also wherever else their values stand. Each is overwritten in
 * place by a pseudonym of the same length: offsets stay true, equal values read equally, and the key of the pseudonyms
 * is of this export only.
 */
export function redactLog(log: HarLog, survey: Survey, options: RedactOptions = {}): RedactedLog {
  const { rules = NO_RULES, kept = new Set(), profile = 'share-v1', isImported = false } = options;
  const pseudonyms = createPseudonyms(crypto.getRandomValues(new Uint8Array(32)));
  const hidden = [...survey.found.values()].filter(({ value }) => !kept.has(value));
  const pseudonymOf = new Map(
    hidden.map(({ value, secretClass }) => [value, pseudonyms.of(secretClass, value)]),
  );
  // Numbers stand in too many places to be hidden in all of them, and so do names.
  const sought = hidden.filter(
    ({ value, secretClass }) =>
      secretClass !== NUMBER_CLASS && !survey.names.has(value.toLowerCase()),
  );
  const taint = createTaint(
    sought.map(({ value, secretClass }) => [value, pseudonyms.of(secretClass, value)]),
  );
  const structure = createStructure(profile);

  function markOf({ value, secretClass }: SecretSpan): Mark | undefined {
    if (secretClass === 'str') return CONTENTS;
    if (kept.has(value) || isFitted(value) || isPseudonym(value)) return undefined;
    const pseudonym = pseudonymOf.get(value) ?? pseudonyms.of(secretClass, value);
    return secretClass === NUMBER_CLASS ? { pseudonym, fill: 'number' } : { pseudonym };
  }

  function hiddenIn(text: string, spans: readonly SecretSpan[]): Hidden[] {
    const named = spans.flatMap((span): Hidden[] => {
      const mark = markOf(span);
      return mark === undefined ? [] : [{ offset: span.offset, length: span.length, mark }];
    });
    const sought = taint(text).map(({ offset, length, of }) => ({ offset, length, mark: of }));
    return apart([...named, ...sought]);
  }

  /** What was masked when it was recorded, under a name of this export. */
  function renamed(cut: Cut): FilledCut {
    const known = survey.recorded.get(cut.secret);
    const secretClass = known?.secretClass ?? 'tok';
    const pseudonym = pseudonyms.ofFingerprint(secretClass, cut.secret);
    const whole = fittedPseudonym(pseudonym, Math.max(known?.length ?? 0, cut.from + cut.length));
    const fill = whole.slice(cut.from, cut.from + cut.length);
    return { ...cut, secret: hexOfPseudonym(pseudonym), fill };
  }

  /** The text with its secrets overwritten, and the cuts of what is to be overwritten in bytes. */
  function cutsOf(
    text: string,
    spans: readonly SecretSpan[],
    recorded: readonly Cut[] | undefined,
  ): FilledCut[] {
    const before = (recorded ?? []).map((cut) =>
      isImported ? { ...cut, fill: '' } : renamed(cut),
    );
    const added = hiddenIn(text, spans)
      .filter((each) => !before.some((cut) => overlaps(cut, each)))
      .map(({ offset, length, mark }) => {
        const fill = fillOf(mark, length);
        return { offset, length, secret: hexOfPseudonym(mark.pseudonym), from: 0, fill };
      });
    return [...before, ...added].sort((a, b) => a.offset - b.offset);
  }

  function hideText<T extends StoredUrl>(given: T, spans: readonly SecretSpan[]): T {
    const cuts = cutsOf(given.text, spans, given.cuts);
    return cuts.length === 0
      ? given
      : { ...given, text: overwriteText(given.text, cuts), cuts: withoutFills(cuts) };
  }

  function hideBytes(data: StoredBytes, context: TextContext): StoredBytes {
    const text = latin1.decode(data.bytes);
    const spans = [...bodySpans(text, context), ...structure.spans(text)];
    return overwriteBytes(data, cutsOf(text, spans, data.cuts));
  }

  function hideWords(text: string, where: string, context: TextContext): string {
    const spans = wordSpans(text, where, context);
    if (where.startsWith('subprotocol')) spans.push(...subprotocolSpans(text, where));
    return overwriteText(text, cutsOf(text, spans, undefined));
  }

  function hide(event: WireEvent, context: TextContext): WireEvent {
    return visitEvent(event, {
      url: (url) => hideText(url, urlSpans(url.text, rules)),
      header({ name, value, cuts }) {
        const spans = headerSpans(name, value, rules);
        const { text, cuts: all } = hideText({ text: value, ...(cuts && { cuts }) }, spans);
        // What HTTP does not allow as a name may be anything.
        const shown = TOKEN.test(name) ? name : hideWords(name, 'name', context);
        return { name: shown, value: text, ...(all && { cuts: all }) };
      },
      bytes: (data) => hideBytes(data, context),
      session(session) {
        const { text, cuts = [] } = session;
        const whole = {
          offset: 0,
          length: text.length,
          secretClass: 'sid',
          where: '',
          value: text,
        };
        return hideText(session, cuts.length > 0 ? [] : [whole]);
      },
      words: (text, where) => hideWords(text, where, context),
      fingerprint: (secret) =>
        isImported ? secret : renamed({ offset: 0, length: 0, secret, from: 0 }).secret,
    });
  }

  /** Chunks are looked at as one: a secret may begin in one and end in another. */
  function hideGroup(events: readonly WireEvent[]): WireEvent[] {
    const context = { isOfOauth: isOfOauth(events), rules };
    const chunks = events.filter((event) => event.kind === 'http-chunk');
    let start = 0;
    const recorded = chunks.flatMap(({ data }) => {
      const shifted = (data.cuts ?? []).map((cut) => ({ ...cut, offset: cut.offset + start }));
      start += data.bytes.length;
      return shifted;
    });
    const text = latin1.decode(joinBytes(chunks.map(({ data }) => data.bytes)));
    const spans = [...bodySpans(text, context), ...structure.bodySpans(text, events)];
    const inBody = chunks.length === 0 ? [] : cutsOf(text, spans, recorded);
    start = 0;
    return events.map((event) => {
      if (event.kind !== 'http-chunk') return hide(event, context);
      const end = start + event.data.bytes.length;
      const cuts = inBody.flatMap((cut) => within(cut, start, end));
      start = end;
      return { ...event, data: overwriteBytes(event.data, cuts) };
    });
  }

  const plain = { isOfOauth: false, rules };
  return {
    ...log,
    name: hideWords(log.name, 'name', plain),
    redaction: {
      profile,
      ...redactionOf(log.head?.redaction, hidden, isImported ? [] : [...survey.recorded.values()]),
      ...(kept.size === 0 ? {} : { kept: kept.size }),
      ...jwtsOf(log.head?.redaction, pseudonymOf, (text) => hideWords(text, 'fact', plain)),
    },
    async load(wanted) {
      return hideGroup(await log.load(wanted));
    },
    check(piece) {
      const looks = patternSpans(piece).filter((span) => markOf(span) !== undefined);
      const count = taint(piece).length + looks.length;
      if (count === 0) return;
      const message =
        'The file was not written: a last look found secrets that would still have been in it.';
      const advice =
        'Nothing was saved. Please report this; meanwhile a rule of your own may hide what is left.';
      const detail = [
        ...taint(piece).map(({ of }) => of.pseudonym),
        ...looks.map(({ where }) => where),
      ];
      throw new AppError({
        code: 'file-unsafe',
        message,
        advice,
        detail: [...new Set(detail)].slice(0, 5).join(', '),
      });
    },
  };
}

/** Counts by class; what a file of ours had hidden before stays hidden. */
function redactionOf(
  before: HarRedaction | undefined,
  ...hidden: readonly (readonly { secretClass: string }[])[]
): Pick<HarRedaction, 'counts'> {
  const counts = new Map(Object.entries(before?.counts ?? {}));
  for (const { secretClass } of hidden.flat()) {
    counts.set(secretClass, (counts.get(secretClass) ?? 0) + 1);
  }
  return { counts: Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

function jwtsOf(
  before: HarRedaction | undefined,
  pseudonymOf: ReadonlyMap<string, string>,
  clean: (text: string) => string,
): Pick<HarRedaction, 'jwt'> {
  const jwt = new Map(Object.entries(before?.jwt ?? {}));
  for (const [value, pseudonym] of pseudonymOf) {
    const facts = jwtFacts(value, clean);
    if (facts !== undefined) jwt.set(pseudonym, facts);
  }
  return jwt.size === 0 ? {} : { jwt: Object.fromEntries(jwt) };
}

/** Beside the secrets, what `structure-only` leaves out. */
function createStructure(profile: RedactionProfile) {
  const isOn = profile === 'structure-only';
  return {
    spans: (text: string) => (isOn ? structureSpans(text) : []),
    bodySpans: (text: string, events: readonly WireEvent[]) =>
      isOn ? structureSpans(text, events) : [],
  };
}
