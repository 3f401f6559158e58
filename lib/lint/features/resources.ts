import { V5 } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { RES } from '../rules/features.ts';
import { isRecord } from '../../record.ts';
import { base64Fault } from './content.ts';
import { isFinal, resultOf } from './memory.ts';

const NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;
const UNKNOWN_METHOD = -32601;
const SAYS_MISSING = /not found|unknown resource|no such|does(n.t| not) exist|cannot find/i;

/** Why one entry of `contents` cannot be used. */
function contentsFault(entry: unknown): string | undefined {
  if (!isRecord(entry)) return `is ${shown(entry)}, not an object`;
  const { uri, text, blob } = entry;
  if (typeof uri !== 'string') return `has the uri ${shown(uri)}`;
  const has = [text, blob].filter((value) => value !== undefined);
  if (has.length !== 1)
    return `has ${has.length === 0 ? 'neither text nor blob' : 'text and blob'}`;
  if (text !== undefined) {
    return typeof text === 'string' ? undefined : `has the text ${shown(text)}`;
  }
  const fault = base64Fault(blob);
  return fault === undefined ? undefined : `has a blob that ${fault}`;
}

function contents(fact: MessageFact): Finding | undefined {
  const { method, params, result } = resultOf(fact) ?? {};
  if (method !== 'resources/read' || result === undefined || !isFinal(fact, result)) {
    return undefined;
  }
  const { contents: given } = result;
  const uri = shown(params?.['uri']);
  if (!Array.isArray(given)) {
    return {
      rule: RES.contents,
      side: 'server',
      group: 'no list',
      message: `The contents of ${uri} are ${shown(given)}, not a list.`,
    };
  }
  if (given.length === 0 && fact.revision === V5) {
    return {
      rule: RES.missing,
      side: 'server',
      group: 'empty',
      message: `The resource ${uri} was answered by no contents at all.`,
      advice: 'Where there is no such resource, answer with the error -32602.',
    };
  }
  const faults = given.flatMap((entry) => contentsFault(entry) ?? []);
  const [fault] = faults;
  if (fault === undefined) return undefined;
  return {
    rule: RES.contents,
    side: 'server',
    group: faults.join(),
    message: `Of the contents of ${uri}, an entry ${fault}.`,
  };
}

function missing({
  request,
  shape,
  direction,
  members,
  revision,
}: MessageFact): Finding | undefined {
  const error = members?.['error'];
  if (shape !== 'response' || direction === 'outgoing' || !isRecord(error)) return undefined;
  if (request?.method !== 'resources/read' || request.answer !== undefined) return undefined;
  const { code, message } = error;
  const right = revision === V5 ? INVALID_PARAMS : NOT_FOUND;
  // That a modern server uses the old code is said by another rule.
  if (code === right || code === NOT_FOUND || code === UNKNOWN_METHOD) return undefined;
  if (!SAYS_MISSING.test(String(message))) return undefined;
  return {
    rule: RES.missing,
    severity: revision === V5 ? 'error' : 'warning',
    side: 'server',
    group: shown(code),
    message: `A missing resource was refused with ${shown(code)}; the code for it is ${right}.`,
  };
}

/** Resources that are read. */
export const RESOURCE_DETECTORS: Detectors = { responses: [contents, missing] };
