import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../protocol/revisions.ts';

export type Revision = (typeof LEGACY_REVISIONS | typeof MODERN_REVISIONS)[number];

export const V1: Revision = '2024-11-05';
export const V2: Revision = '2025-03-26';
export const V3: Revision = '2025-06-18';
export const V4: Revision = '2025-11-25';
export const V5: Revision = '2026-07-28';

export const ALL: readonly Revision[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
export const LEGACY: readonly Revision[] = LEGACY_REVISIONS;
/** Legacy revisions with Streamable HTTP. */
export const STREAMABLE: readonly Revision[] = [V2, V3, V4];
/** All revisions with Streamable HTTP. */
export const HTTP: readonly Revision[] = [...STREAMABLE, V5];
export const MODERN: readonly Revision[] = MODERN_REVISIONS;

/** Where a standard says so. `url` is empty where no standard does. */
export interface Clause {
  revision: string;
  page: string;
  section: string;
  url: string;
}

interface Place {
  page: string;
  section: string;
}

/** Where a rule stands: in MCP, in another standard, or nowhere, when it is a check of this tool's own. */
export type ClausePlace =
  | ({ kind: 'mcp'; except: Partial<Record<Revision, Place>> } & Place)
  | { kind: 'standard'; page: string; section: string; url: string }
  | { kind: 'policy' };

const BASE = 'https://modelcontextprotocol.io/specification';

/** A section of the specification, by its heading; `except` names revisions that have it elsewhere. */
export function mcp(
  page: string,
  section: string,
  except: Partial<Record<Revision, Place>> = {},
): ClausePlace {
  return { kind: 'mcp', page, section, except };
}

/** A section about transports, which has a page and a name of its own in the modern era. */
export function transports(section: string, modern: string, first?: Place): ClausePlace {
  return mcp('basic/transports', section, {
    ...(first === undefined ? {} : { [V1]: first }),
    [V5]: { page: 'basic/transports/streamable-http', section: modern },
  });
}

/** A section of the page about JSON-RPC messages, which has another name in the first revision. */
export function messages(section: string, newest = section): ClausePlace {
  return mcp('basic', section, {
    [V1]: { page: 'basic/messages', section },
    [V4]: { page: 'basic', section: newest },
    [V5]: { page: 'basic', section: newest },
  });
}

/** A section of the HTML standard's chapter about server-sent events. */
export function eventStream(section: string, anchor: string): ClausePlace {
  const url = `https://html.spec.whatwg.org/multipage/server-sent-events.html#${anchor}`;
  return { kind: 'standard', page: 'HTML standard', section, url };
}

/** No standard says so: experience with servers does. */
export const POLICY: ClausePlace = { kind: 'policy' };

/** The clause as it stands in one revision. */
export function clauseIn(place: ClausePlace, revision: Revision): Clause {
  if (place.kind === 'policy') return { revision, page: 'devtool policy', section: '', url: '' };
  if (place.kind === 'standard') {
    const { page, section, url } = place;
    return { revision, page, section, url };
  }
  const { page, section } = place.except[revision] ?? place;
  const anchor = section === '' ? '' : `#${anchorOf(section)}`;
  return { revision, page, section, url: `${BASE}/${revision}/${page}${anchor}` };
}

/** The anchor that the site makes of a heading. */
function anchorOf(section: string): string {
  return section
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}
