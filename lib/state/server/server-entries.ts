import { isDeeper } from '../../json/depth.ts';
import { member, parseJson, sourceText, type JsonNode } from '../../json/parse.ts';
import { paramHeadersOf } from '../../protocol/param-headers.ts';
import { parseUriTemplate } from '../../protocol/uri-template.ts';
import { schemaFault } from '../../schema/schema-fault.ts';
import { isRecord } from '../../record.ts';

export type ListKind = 'tools' | 'resources' | 'templates' | 'prompts';

/** How the protocol calls what a server lists. */
export const LISTS: Record<
  ListKind,
  { method: string; member: string; changed: string; capability: string; title: string }
> = {
  tools: {
    method: 'tools/list',
    member: 'tools',
    changed: 'notifications/tools/list_changed',
    capability: 'tools',
    title: 'Tools',
  },
  resources: {
    method: 'resources/list',
    member: 'resources',
    changed: 'notifications/resources/list_changed',
    capability: 'resources',
    title: 'Resources',
  },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    changed: 'notifications/resources/list_changed',
    capability: 'resources',
    title: 'Templates',
  },
  prompts: {
    method: 'prompts/list',
    member: 'prompts',
    changed: 'notifications/prompts/list_changed',
    capability: 'prompts',
    title: 'Prompts',
  },
};

export const LIST_KINDS = Object.keys(LISTS) as ListKind[];

/** Something that a server lists, as it is written there. */
export interface Entry {
  kind: ListKind;
  /** Its name and how many of that name came before it: two tools may have the same one. */
  key: string;
  /** Name of a tool or prompt, URI of a resource, URI template. */
  name: string;
  title?: string;
  description?: string;
  /** Its definition, to the letter. */
  source: string;
  /** Of the definition, in UTF-8. */
  sizeBytes: number;
  value: Record<string, unknown>;
  /** What is wrong with it; sentences without a full stop. */
  faults: string[];
  /** Why clients have to leave it out. */
  excluded?: string;
  isDuplicate: boolean;
}

/** A page of a list as it came. */
export interface PageContent {
  entries: Entry[];
  nextCursor?: string;
  /** Why it is no page. */
  fault?: string;
}

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** What is longer is not read in one go: it would stop the page. UTF-16 units. */
const LIMIT = 8_000_000;
/** What is nested in more of them is read by no client to its end. */
const LEVELS = 500;
const utf8 = new TextEncoder();

/** Reads the entries of a response to a list request. Never throws: what is malformed is an entry with faults. */
export function readPage(kind: ListKind, text: string, isModern: boolean): PageContent {
  if (text.length > LIMIT)
    return { entries: [], fault: 'the answer is too large to be listed here' };
  const parsed = parseJson(text);
  const result = parsed.ok ? member(parsed.root, 'result') : undefined;
  const list = member(result, LISTS[kind].member);
  if (list?.kind !== 'array') {
    const what = list === undefined ? 'has no' : 'has something else than a list as';
    return { entries: [], fault: `the result ${what} \`${LISTS[kind].member}\`` };
  }
  const cursor = member(result, 'nextCursor');
  const given = cursor === undefined ? undefined : valueOf(text, cursor);
  const entries = list.items.map((node, index) => readEntry(kind, text, node, index, isModern));
  if (given === undefined || given === null) return { entries };
  if (typeof given !== 'string') {
    return { entries, fault: 'its `nextCursor` is no text, so that there is no way to go on' };
  }
  return { entries, nextCursor: given };
}

/** Marks names that come twice, and gives every entry a key of its own. */
export function withKeys(entries: readonly Entry[]): Entry[] {
  const counts = new Map<string, number>();
  for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const number = seen.get(entry.name) ?? 0;
    seen.set(entry.name, number + 1);
    const isDuplicate = (counts.get(entry.name) ?? 0) > 1;
    return { ...entry, key: `${entry.name} ${number}`, isDuplicate };
  });
}

function readEntry(
  kind: ListKind,
  text: string,
  node: JsonNode,
  index: number,
  isModern: boolean,
): Entry {
  const source = sourceText(text, node);
  const parsed: unknown = valueOf(text, node);
  const isDeep = isDeeper(parsed, LEVELS);
  const whole = isRecord(parsed) ? parsed : {};
  // What has no end that one could work with is left to its text.
  const value = isDeep ? withoutDepths(whole) : whole;
  const name = nameOf(kind, value);
  const faults = isDeep
    ? [`it is nested in more than ${LEVELS} levels`]
    : isRecord(parsed)
      ? faultsOf(kind, value)
      : [
          `it is ${parsed === null ? 'null' : `a ${Array.isArray(parsed) ? 'list' : typeof parsed}`}`,
        ];
  const title = titleOf(value);
  // Only the modern era mirrors arguments.
  const headers = kind === 'tools' && isModern ? paramHeadersOf(value['inputSchema']) : undefined;
  return {
    kind,
    key: '',
    name: name ?? `entry ${index + 1}`,
    ...(title === undefined ? {} : { title }),
    ...(typeof value['description'] === 'string' ? { description: value['description'] } : {}),
    source,
    sizeBytes: utf8.encode(source).length,
    value,
    faults,
    ...(headers?.ok === false ? { excluded: headers.reason } : {}),
    isDuplicate: false,
  };
}

function withoutDepths(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => !isDeeper(part, LEVELS)));
}

/** Display names: the title first, then the older place for it (2025-06-18, server/tools). */
function titleOf(value: Record<string, unknown>): string | undefined {
  const annotations = isRecord(value['annotations']) ? value['annotations'] : {};
  const titles = [value['title'], annotations['title']];
  const named = 'uri' in value || 'uriTemplate' in value ? [...titles, value['name']] : titles;
  return named.find((title): title is string => typeof title === 'string' && title !== '');
}

function nameOf(kind: ListKind, value: Record<string, unknown>): string | undefined {
  const key = kind === 'resources' ? 'uri' : kind === 'templates' ? 'uriTemplate' : 'name';
  const name = value[key];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function faultsOf(kind: ListKind, value: Record<string, unknown>): string[] {
  switch (kind) {
    case 'tools':
      return toolFaults(value);
    case 'resources':
      return [
        ...textFaults(value, 'uri'),
        ...textFaults(value, 'name'),
        ...(typeof value['uri'] === 'string' && !URL.canParse(value['uri'])
          ? ['its URI is not an absolute one']
          : []),
      ];
    case 'templates': {
      const { uriTemplate } = value;
      const read = typeof uriTemplate === 'string' ? parseUriTemplate(uriTemplate) : undefined;
      return [
        ...textFaults(value, 'uriTemplate'),
        ...textFaults(value, 'name'),
        ...(read?.ok === false ? [`its template is broken: ${read.reason}`] : []),
      ];
    }
    case 'prompts': {
      const given = value['arguments'];
      const isGood =
        given === undefined ||
        (Array.isArray(given) &&
          given.every((each) => isRecord(each) && typeof each['name'] === 'string'));
      return [
        ...textFaults(value, 'name'),
        ...(isGood ? [] : ['its arguments are no list of named ones']),
      ];
    }
  }
}

function toolFaults(value: Record<string, unknown>): string[] {
  const { name, inputSchema, outputSchema, annotations } = value;
  const faults = textFaults(value, 'name');
  if (typeof name === 'string' && name !== '' && !TOOL_NAME.test(name)) {
    faults.push('its name is not 1 to 128 letters, digits, “_”, “-” and “.”');
  }
  if (inputSchema === undefined) faults.push('it has no inputSchema');
  else if (!isRecord(inputSchema)) faults.push('its inputSchema is no object');
  else {
    if (inputSchema['type'] !== 'object') faults.push('its inputSchema is not of type object');
    const fault = schemaFault(inputSchema);
    if (fault !== undefined) faults.push(`its inputSchema is broken: ${fault}`);
  }
  if (outputSchema !== undefined) {
    const fault = schemaFault(outputSchema);
    if (fault !== undefined) faults.push(`its outputSchema is broken: ${fault}`);
  }
  if (annotations !== undefined && !isRecord(annotations)) {
    faults.push('its annotations are no object');
  }
  return faults;
}

function textFaults(value: Record<string, unknown>, key: string): string[] {
  const text = value[key];
  if (typeof text === 'string' && text !== '') return [];
  return [
    text === undefined ? `it has no ${key}` : `its ${key} is ${text === '' ? 'empty' : 'no text'}`,
  ];
}

function valueOf(text: string, node: JsonNode): unknown {
  return JSON.parse(sourceText(text, node));
}
