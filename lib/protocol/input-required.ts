import { parseJson } from '../json/parse.ts';
import { isRecord } from '../record.ts';
import { insertMember } from './envelope.ts';

/** What an interim result asks for (2026-07-28, basic/patterns/mrtr). */
export interface InputRequired {
  requests: { key: string; method: string; params: unknown }[];
  hasRequests: boolean;
  /** Opaque; absent where the server gave none. */
  requestState?: unknown;
}

/** Reads a result that is not the last word; `undefined` for every other one, and for one that asks for nothing. */
export function readInputRequired(result: unknown): InputRequired | undefined {
  if (!isRecord(result) || result['resultType'] !== 'input_required') return undefined;
  const { inputRequests, requestState } = result;
  // Nobody could tell what to answer, so that asking again would bring the same.
  const isVoid = Array.isArray(inputRequests) || (inputRequests ?? requestState) === undefined;
  if (isVoid) return undefined;
  return {
    requests: readInputRequests(inputRequests),
    hasRequests: isRecord(inputRequests),
    ...(Object.hasOwn(result, 'requestState') ? { requestState } : {}),
  };
}

/** Reads what is asked for by key, in a result or by a task; nothing where that is no object. */
export function readInputRequests(inputRequests: unknown): InputRequired['requests'] {
  const entries = isRecord(inputRequests) ? Object.entries(inputRequests) : [];
  return entries.map(([key, asked]) => ({
    key,
    method: isRecord(asked) && typeof asked['method'] === 'string' ? asked['method'] : '',
    params: isRecord(asked) ? asked['params'] : undefined,
  }));
}

const OF_ONE_ROUND = new Set(['inputResponses', 'requestState']);

/**
 * The params of the next round: those of the first one to the letter, with the answers under the keys that
 * were asked for, and the state as it came ("Client Requirements"). What the first one itself brought of an
 * earlier round makes way for them. `answers` holds JSON texts.
 */
export function nextRoundParams(
  first: string | undefined,
  asked: InputRequired,
  answers: ReadonlyMap<string, string>,
): string {
  const text = first ?? '{}';
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'object') return text;
  const members: string[] = [];
  if (asked.hasRequests) {
    const entries = [...answers].map(([key, answer]) => `${JSON.stringify(key)}:${answer}`);
    members.push(`"inputResponses":{${entries.join(',')}}`);
  }
  if ('requestState' in asked) members.push(`"requestState":${JSON.stringify(asked.requestState)}`);
  const { start, end, members: given } = parsed.root;
  const kept = given.filter(({ key }) => !OF_ONE_ROUND.has(key));
  if (kept.length < given.length) {
    for (const { keyStart, value } of kept) members.push(text.slice(keyStart, value.end));
    return `${text.slice(0, start + 1)}${members.join(',')}${text.slice(end - 1)}`;
  }
  return members.length === 0 ? text : insertMember(text, parsed.root, members.join(','));
}
