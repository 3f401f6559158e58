import type { ConnectionFact, Detect, Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { V5 } from '../clause.ts';
import { RES } from '../rules/features.ts';
import { isRecord } from '../../record.ts';
import { resultOf, type FeatureMemory, type Memories, type Pages } from './memory.ts';

const LIMIT = 100;

function pagesOf(memory: FeatureMemory, method: string): Pages {
  const known = memory.pages.get(method);
  if (known !== undefined) return known;
  const pages: Pages = { issued: new Set(), followed: new Set() };
  memory.pages.set(method, pages);
  return pages;
}

function cursorIn(params: unknown): unknown {
  return isRecord(params) ? params['cursor'] : undefined;
}

function isList(method: string): boolean {
  return method.endsWith('/list');
}

/** Completions are cut off, so that no client has to show thousands. */
function completion(fact: MessageFact): Finding | undefined {
  const { method, result } = resultOf(fact) ?? {};
  const given = result?.['completion'];
  const values = isRecord(given) ? given['values'] : undefined;
  if (method !== 'completion/complete' || !Array.isArray(values) || values.length <= LIMIT) {
    return undefined;
  }
  return {
    rule: RES.completion,
    side: 'server',
    group: 'values',
    message: `The server gave ${values.length} completions; there may be ${LIMIT}.`,
    advice: 'Send the first 100, and say by total and hasMore that there are more.',
  };
}

/** Judges lists that come page by page: their cursors, and what stands on two pages. */
export function listDetectors(memories: Memories): Detectors {
  const cursor: Detect<MessageFact> = (fact) => {
    const { method, params, result } = resultOf(fact) ?? {};
    if (method === undefined || result === undefined || !isList(method)) return undefined;
    const { nextCursor } = result;
    if (nextCursor === undefined) return undefined;
    const severity = fact.revision === V5 ? 'error' : 'warning';
    const found = { rule: RES.cursor, severity, side: 'server' } as const;
    if (typeof nextCursor !== 'string') {
      return {
        ...found,
        group: `${method} type`,
        message: `The nextCursor of \`${method}\` is ${shown(nextCursor)}, not a string.`,
        advice: 'Leave nextCursor out on the last page.',
      };
    }
    const { followed } = pagesOf(memories(fact.connection), method);
    if (nextCursor !== cursorIn(params) && !followed.has(nextCursor)) return undefined;
    return {
      ...found,
      group: `${method} again`,
      message: `The nextCursor of \`${method}\` is ${shown(nextCursor)} again, so the list has no end.`,
    };
  };

  const edited: Detect<MessageFact> = ({ connection, shape, direction, method = '', members }) => {
    if (shape !== 'request' || direction === 'incoming' || !isList(method)) return undefined;
    const given = cursorIn(members?.['params']);
    const { issued } = pagesOf(memories(connection), method);
    // What was given out before the log begins is not known.
    if (given === undefined || connection.isAttached || !connection.isComplete) return undefined;
    if (typeof given === 'string' && issued.has(given)) return undefined;
    return {
      rule: RES.editedCursor,
      side: 'client',
      group: method,
      message: `\`${method}\` carries the cursor ${shown(given)}, which the server did not give out.`,
      advice: 'Cursors are sent back as they came.',
    };
  };

  const follow: Detect<MessageFact> = ({ connection, direction, method = '', members }) => {
    if (direction === 'incoming' || !isList(method)) return undefined;
    const pages = pagesOf(memories(connection), method);
    const given = cursorIn(members?.['params']);
    if (given === undefined) pages.followed.clear();
    else if (typeof given === 'string') pages.followed.add(given);
    return undefined;
  };

  const remember: Detect<MessageFact> = (fact) => {
    const { method = '', result } = resultOf(fact) ?? {};
    if (result === undefined || !isList(method)) return undefined;
    const pages = pagesOf(memories(fact.connection), method);
    const { nextCursor } = result;
    delete pages.next;
    if (typeof nextCursor !== 'string') return undefined;
    pages.next = nextCursor;
    pages.issued.add(nextCursor);
    return undefined;
  };

  /** Whoever has followed cursors, and stops at one, takes it for the end. */
  const stopped: Detect<ConnectionFact> = ({ connection, event }) => {
    if (event.kind !== 'connection-closed') return undefined;
    const { pages } = memories(connection);
    const [method] =
      [...pages].find(([, { next, followed }]) => next === '' && followed.size > 0) ?? [];
    if (method === undefined) return undefined;
    return {
      rule: RES.editedCursor,
      severity: 'warning',
      side: 'client',
      group: `${method} stopped`,
      message: `\`${method}\` was not asked for the page behind the cursor "", which is one like any other.`,
      advice: 'Only a nextCursor that is missing is the end of a list.',
    };
  };

  return {
    requests: [edited, follow],
    responses: [cursor, completion, remember],
    connection: [stopped],
  };
}
