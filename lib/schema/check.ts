import { validate, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';
import { isRecord } from '../record.ts';
import { LONG_LIST, prepareSchema, type Extent, type PreparedSchema } from './prepare.ts';

/** Where a value does not match its schema, and in which way. */
export interface SchemaProblem {
  /** Names and indexes down to the part; of a member that is missing, with its own name. */
  path: (string | number)[];
  /** What is wrong, to be read after the name of the part: `is a string, where a number is asked for`. */
  message: string;
}

export interface SchemaCheck {
  problems: SchemaProblem[];
  /** What could not be checked, and why; sentences. */
  notChecked: string[];
}

/** How long the longest text may be to be tried with the same copy of a schema. */
const LENGTHS = [20, 100, 300, 5000, 100_000, 1_000_000];
const TOO_MUCH = 'Not checked: the value is too large for so many alternatives.';
const MANY = 200;
const SHOWN = 200;

/** More steps than this in all would stop the page for more than a second. */
const STEPS = 2_000_000;

const copies = new WeakMap<object, Map<string, PreparedSchema | string>>();

/**
 * Checks a value against a JSON Schema (2020-12, or the draft that its `$schema` names). Never throws, fetches
 * nothing, and takes no longer than it may, whatever the schema: what it has to leave out is named.
 */
export function checkValue(schema: unknown, value: unknown): SchemaCheck {
  if (typeof schema !== 'boolean' && !isRecord(schema)) {
    return { problems: [], notChecked: ['There is no schema to check it against.'] };
  }
  let left: string[] = [];
  try {
    const size = sizeOf(value);
    const prepared = preparedFor(schema, size);
    if (typeof prepared === 'string') return { problems: [], notChecked: [prepared] };
    ({ left } = prepared);
    if (prepared.cost > 1 && prepared.cost * size.parts > STEPS) {
      return { problems: [], notChecked: [TOO_MUCH, ...left] };
    }
    const { errors } = validate(value, prepared.schema, draftOf(schema), undefined, false);
    return { problems: toProblems(errors, value), notChecked: left };
  } catch (error) {
    return { problems: [], notChecked: [toReason(error), ...left] };
  }
}

function preparedFor(schema: object | boolean, size: Extent): PreparedSchema | string {
  const longestText = LENGTHS.find((each) => size.longestText <= each) ?? Infinity;
  const longestList = size.longestList > LONG_LIST ? Infinity : LONG_LIST;
  const extent = { longestText, longestList };
  if (typeof schema === 'boolean') return prepared(schema, extent);
  const known = copies.get(schema) ?? new Map<string, PreparedSchema | string>();
  copies.set(schema, known);
  const key = `${longestText} ${longestList}`;
  const found = known.get(key) ?? prepared(schema, extent);
  known.set(key, found);
  return found;
}

function prepared(schema: object | boolean, extent: Extent): PreparedSchema | string {
  try {
    return prepareSchema(schema, extent);
  } catch {
    return 'Not checked: the schema is too deep or too branched.';
  }
}

function sizeOf(value: unknown): Extent & { parts: number } {
  const size = { longestText: 0, longestList: 0, parts: 0 };
  function visit(part: unknown): void {
    size.parts += 1;
    if (typeof part === 'string') size.longestText = Math.max(size.longestText, part.length);
    else if (Array.isArray(part)) {
      size.longestList = Math.max(size.longestList, part.length);
      part.forEach(visit);
    } else if (isRecord(part)) {
      for (const [key, member] of Object.entries(part)) {
        size.longestText = Math.max(size.longestText, key.length);
        visit(member);
      }
    }
  }
  visit(value);
  return size;
}

function draftOf(schema: object | boolean): SchemaDraft {
  const dialect = isRecord(schema) ? schema['$schema'] : undefined;
  if (typeof dialect !== 'string') return '2020-12';
  if (/draft-0[4]\b/.test(dialect)) return '4';
  if (/draft-0[67]\b/.test(dialect)) return '7';
  return dialect.includes('2019-09') ? '2019-09' : '2020-12';
}

function toReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, ref] = /Unresolved \$ref "([^"]*)"/.exec(message) ?? [];
  if (ref !== undefined) {
    return `Not checked: the schema refers to ${ref.slice(0, SHOWN)}, which is not part of it.`;
  }
  if (error instanceof RangeError) return 'Not checked: the schema leads in a circle.';
  return `Not checked: the schema is broken (${message.slice(0, SHOWN)}).`;
}

/** Keywords whose errors only say that there are errors further in. */
const CARRIERS = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'dependentSchemas',
]);

function toProblems(errors: readonly OutputUnit[], value: unknown): SchemaProblem[] {
  // What an item or a name must be to count is told of the whole.
  const told = errors.filter(
    ({ keywordLocation }) => !/\/(?:contains|propertyNames)\//.test(keywordLocation),
  );
  const kept = told.slice(0, MANY * 10);
  const problems = withoutOtherChoices(kept)
    .filter(({ keyword }) => !CARRIERS.has(keyword))
    .map((error) => toProblem(error, value));
  const known = new Set<string>();
  return problems
    .filter(({ path, message }) => {
      const key = JSON.stringify([path, message]);
      return !known.has(key) && known.add(key);
    })
    .slice(0, MANY);
}

/** Of several alternatives, none of which fits, only the one tells what is wrong that is of the right kind. */
function withoutOtherChoices(errors: readonly OutputUnit[]): OutputUnit[] {
  let kept = [...errors];
  for (const choice of errors) {
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue;
    const prefix = `${choice.keywordLocation}/`;
    const isInside = (error: OutputUnit) => error.keywordLocation.startsWith(prefix);
    const inside = kept.filter(isInside);
    if (inside.length === 0) continue;
    const branchOf = ({ keywordLocation }: OutputUnit) =>
      keywordLocation.slice(prefix.length).split('/')[0];
    const wrong = new Set(
      inside
        .filter(({ keyword, instanceLocation }) => {
          const isHere = instanceLocation === choice.instanceLocation;
          return isHere ? keyword === 'type' : keyword === 'const';
        })
        .map(branchOf),
    );
    const likely = new Set(inside.map(branchOf).filter((branch) => !wrong.has(branch)));
    const isMatchedTwice = /\([1-9]\d* matches\)/.test(choice.error);
    if (likely.size !== 1 || isMatchedTwice) kept = kept.filter((error) => !isInside(error));
    else {
      kept = kept.filter(
        (error) => error !== choice && (!isInside(error) || likely.has(branchOf(error))),
      );
    }
  }
  return kept;
}

function toProblem({ keyword, error, instanceLocation }: OutputUnit, value: unknown) {
  const path = toPath(instanceLocation, value);
  const [, missing] = /does not have required property "([\s\S]*)"\.$/.exec(error) ?? [];
  if (keyword === 'required' && missing !== undefined) {
    return { path: [...path, missing], message: 'is required' };
  }
  const [, name] = /^Property name "([\s\S]*)" does not match schema\.$/.exec(error) ?? [];
  if (keyword === 'propertyNames' && name !== undefined) {
    return { path: [...path, name], message: 'has a name that is not allowed here' };
  }
  return { path, message: toWords(keyword, error) };
}

/** Says it in our words; where there are none, in those of the checker. */
function toWords(keyword: string, error: string): string {
  const quoted = [...error.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
  const shown = error.length > SHOWN ? `${error.slice(0, SHOWN)}…` : error;
  switch (keyword) {
    case 'type': {
      const [found = '', ...wanted] = quoted;
      return `is ${named(found)}, where ${wanted.map(named).join(' or ')} is asked for`;
    }
    case 'const':
      return `must be ${shown.replace('Instance does not match ', '').replace(/\.$/, '')}`;
    case 'enum':
      return `must be one of ${shown.replace('Instance does not match any of ', '').replace(/\.$/, '')}`;
    case 'false':
      return 'is not allowed here';
    case 'not':
      return 'is what the schema excludes';
    case 'anyOf':
      return 'fits none of the alternatives';
    case 'oneOf':
      return /\(0 matches\)/.test(error)
        ? 'fits none of the alternatives'
        : 'fits more than one of the alternatives, where exactly one is asked for';
    case 'pattern':
      return 'does not match the pattern';
    case 'format':
      return `must be of the format ${quoted[0] ?? ''}`;
    case 'minLength':
      return error.replace(
        /^String is too short \((\d+) < (\d+)\)\.$/,
        'needs at least $2 characters',
      );
    case 'maxLength':
      return error.replace(
        /^String is too long \((\d+) > (\d+)\)\.$/,
        'may have at most $2 characters',
      );
    case 'minItems':
      return error.replace(/^.*< (\d+)\)\.$/, 'needs at least $1 items');
    case 'maxItems':
      return error.replace(/^.*> (\d+)\)\.$/, 'may have at most $1 items');
    case 'minProperties':
      return error.replace(/^.* at least (\d+) properties\.$/, 'needs at least $1 members');
    case 'maxProperties':
      return error.replace(/^.* at least (\d+) properties\.$/, 'may have at most $1 members');
    case 'contains':
    case 'minContains':
      return 'holds too few items of the kind that is asked for';
    case 'maxContains':
      return 'holds too many items of one kind';
    case 'uniqueItems':
      return error.replace(
        /^Duplicate items at indexes (\d+) and (\d+)\.$/,
        'has the same item twice, at $1 and $2',
      );
    case 'minimum':
      return error.replace(/^.* is less than\s+(.*)\.$/, 'must be at least $1');
    case 'maximum':
      return error.replace(/^.* is greater than\s+(.*)\.$/, 'must be at most $1');
    case 'exclusiveMinimum':
      return error.replace(/^.* is less than (.*)\.$/, 'must be greater than $1');
    case 'exclusiveMaximum':
      return error.replace(/^.* or equal to (.*)\.$/, 'must be less than $1');
    case 'multipleOf':
      return error.replace(/^.* is not a multiple of (.*)\.$/, 'must be a multiple of $1');
    default:
      return shown.replace(/^Instance /, '').replace(/\.$/, '');
  }
}

function named(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Index of a list or name of a member: the value tells which of them a step is. */
function toPath(location: string, value: unknown): (string | number)[] {
  let part = value;
  return location
    .split('/')
    .slice(1)
    .map((step) => {
      const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(part)) {
        part = part[Number(name)];
        return Number(name);
      }
      part = isRecord(part) ? part[name] : undefined;
      return name;
    });
}

function decoded(step: string): string {
  try {
    return decodeURI(step).replaceAll('%23', '#');
  } catch {
    return step;
  }
}
