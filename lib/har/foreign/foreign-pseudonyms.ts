import type { Cut } from '../../capture/store/stored-text.ts';
import type { WireFact } from '../../capture/wire-event.ts';

/** What stands for a secret in files that were made safe to share, ours among them. */
const STAND_IN =
  /redacted~[a-z0-9-]+~(?<hex>[0-9a-f]{10})|\[(?:REDACTED|redacted|FILTERED|filtered|removed)\]|<(?:REDACTED|redacted)>/g;
/** Of these it is not said which are equal. */
const UNNAMED = '0000000000';
const latin1 = new TextDecoder('latin1');

/** Whether a text may hold one of them. */
export function mayHaveStandIn(text: string): boolean {
  return /redacted~|[[<](?:redacted|filtered|removed)[\]>]/i.test(text);
}

/** The fact with cuts where something stands for a secret: what is cut out is shown as such, and never sent. */
export function cutStandIns<T extends WireFact>(fact: T): T {
  switch (fact.kind) {
    case 'http-request': {
      const { body } = fact;
      return {
        ...fact,
        url: withCuts(fact.url, fact.url.text),
        headers: fact.headers.map((header) => withCuts(header, header.value)),
        ...(body === undefined ? {} : { body: withCuts(body, latin1.decode(body.bytes)) }),
      };
    }
    case 'http-response':
      return { ...fact, headers: fact.headers.map((header) => withCuts(header, header.value)) };
    case 'http-chunk':
    case 'socket-frame':
      return { ...fact, data: withCuts(fact.data, latin1.decode(fact.data.bytes)) };
    case 'socket-opening':
      return { ...fact, url: withCuts(fact.url, fact.url.text) };
    default:
      return fact;
  }
}

function withCuts<T extends { cuts?: Cut[] }>(given: T, text: string): T {
  const cuts = [...text.matchAll(STAND_IN)].map(({ 0: found, groups, index }) => ({
    offset: index,
    length: found.length,
    secret: groups?.['hex'] ?? UNNAMED,
    from: 0,
  }));
  return cuts.length === 0 ? given : { ...given, cuts };
}
